/** Runs the program through every cell of the fault matrix. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { closedPort } from "../support/ports.ts";
import { deafPort } from "../support/deaf-port.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { cellsOf, faultsInBatches, lastingFaults, passingFaults, type Cell } from "./matrix.ts";
import { content, onlyOnce, scriptFor } from "./support/faults.ts";

const longestMs = 600_000;

const twoTries = ["-t", "2", "-T", "5"];

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
  const cells = cellsOf(table);
  const found = [];
  for (const cell of cells) found.push({ ...cell, outcome: await outcomeOf(cell) });
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
  const result = await run([...twoTries, "--account", "a", ...options, url]);
  const found = `${result.status} ${server.connections.length} ${await fileOf(result)}`;
  if (found !== cell.outcome) explain(cell, result, server.transcript());
  return found;
}

async function unreachable(cell: Cell): Promise<string> {
  const port = cell.fault === "refuse" ? await closedPort("127.0.0.1") : await deafPort();
  const result = await run([...twoTries, `ftp://127.0.0.1:${port}/pub/x`]);
  const retries = result.stderr.split("trying again in").length - 1;
  return `${result.status} ${1 + retries} ${await fileOf(result)}`;
}

async function fileOf({ cwd, stderr }: RunResult): Promise<string> {
  expect(stderr).not.toMatch(/^\s+at |secret/m);
  const path = join(cwd, "x");
  if (existsSync(path)) return (await readFile(path, "utf8")) === content ? "whole" : "wrong";
  return existsSync(`${path}.ftpull`) ? "part" : "none";
}

function explain({ step, fault }: Cell, { stderr }: RunResult, transcript: string): void {
  process.stderr.write(`${step}, ${fault}:\n${stderr}\n${transcript}\n\n`);
}
