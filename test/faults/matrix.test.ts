/** Runs the program through every cell of the fault matrix. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { closedPort } from "../support/data-channel.ts";
import { deafPort } from "../support/deaf-port.ts";
import { type RunResult } from "../support/run.ts";
import type { Action } from "../support/script.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { patientReplies, runWithoutWaits } from "../support/waits.ts";
import { cellsOf, faultsInBatches, lastingFaults, passingFaults, type Cell } from "./matrix.ts";
import { content, onlyOnce, scriptFor } from "./support/faults.ts";
import { inPool } from "./support/pool.ts";

const longestMs = 600_000;

/** More than there are stalls in a table. */
const width = 20;

it("a fault that lasts, one command at a time", { timeout: longestMs }, () =>
  verify(lastingFaults, async (cell) =>
    cell.step === "connect"
      ? unreachable(cell)
      : outcome(cell, await scriptFor(cell.step, cell.fault), ["--no-pipelining"]),
  ),
);

it("a fault that lasts, among commands that travel together", { timeout: longestMs }, () =>
  verify(faultsInBatches, async (cell) => outcome(cell, await scriptFor(cell.step, cell.fault))),
);

it("a fault that passes", { timeout: longestMs }, () =>
  verify(passingFaults, async (cell) =>
    outcome(cell, onlyOnce(await scriptFor(cell.step, cell.fault))),
  ),
);

async function verify(table: string, outcomeOf: (cell: Cell) => Promise<string>): Promise<void> {
  // Those that wait for silence first, so that the others' work falls into that time.
  const cells = cellsOf(table).toSorted(
    (one, other) => Number(isStall(other)) - Number(isStall(one)),
  );
  const found = await inPool(cells, width, async (cell) => ({
    ...cell,
    outcome: await outcomeOf(cell),
  }));
  expect(found).toEqual(cells);
}

async function outcome(
  cell: Cell,
  on: Record<string, Action>,
  options: readonly string[] = [],
): Promise<string> {
  const account = cell.step === "ACCT" ? { account: "a" } : {};
  const users = { u: { password: "secret", ...account } };
  const server = await ScriptedServer.start({ files: { "pub/x": content }, users, on });
  onTestFinished(() => server.close());
  const url = server.url("/pub/x", { user: "u", password: "secret" });
  const words = [...optionsFor(cell), "--account", "a", ...options, url];
  const result = await runWithoutWaits(words, { env: isStall(cell) ? {} : patientReplies });
  const found = `${result.status} ${server.connections.length} ${await fileOf(result)}`;
  if (found !== cell.outcome) explain(cell, result, server.transcript());
  return found;
}

async function unreachable(cell: Cell): Promise<string> {
  const port = cell.fault === "refuse" ? await closedPort("127.0.0.1") : await deafPort();
  const words = [...optionsFor(cell), `ftp://127.0.0.1:${port}/pub/x`];
  const result = await runWithoutWaits(words);
  const retries = result.stderr.split("trying again in").length - 1;
  return `${result.status} ${1 + retries} ${await fileOf(result)}`;
}

const isStall = ({ fault }: Cell): boolean => fault === "stall";

/** What isn't a stall shall not look like one on a busy machine. */
function optionsFor(cell: Cell): string[] {
  return ["-t", "2", "-T", isStall(cell) ? "6" : "30"];
}

async function fileOf({ cwd, stderr }: RunResult): Promise<string> {
  expect(stderr).not.toMatch(/^\s+at |secret/m);
  const path = join(cwd, "x");
  if (existsSync(path)) return (await readFile(path, "utf8")) === content ? "whole" : "wrong";
  return existsSync(`${path}.ftpull/data`) ? "part" : "none";
}

function explain({ step, fault }: Cell, { stderr }: RunResult, transcript: string): void {
  process.stderr.write(`${step}, ${fault}:\n${stderr}\n${transcript}\n\n`);
}
