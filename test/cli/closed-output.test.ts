/** A standard output that was closed before the start, for which Node opens /dev/null, or that takes nothing. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { caches, launcher, node, RunningProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const isLinux = process.platform === "linux";

async function inShell(redirection: string, args: readonly string[]) {
  const cwd = await temporaryDirectory();
  const words = ["-c", `"$@" ${redirection}`, "sh", node, launcher, ...args];
  const env = { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: caches };
  return new RunningProgram(spawn("sh", words, { cwd, env }), cwd, 200_000).finished;
}

test.runIf(isLinux)("where nothing belongs there, it may be closed, as all may be", async () => {
  const server = await startServer({ files: { x: "text\n" } });
  const { status, cwd } = await inShell("<&- >&- 2>&-", [server.url("/x")]);
  expect(status).toBe(0);
  expect(readFileSync(join(cwd, "x"), "latin1")).toBe("text\n");
});

test("a program that ends before it is done is no success", async () => {
  const env = { NODE_OPTIONS: "--import=data:text/javascript,process.stdout.write=()=>true" };
  expect((await run(["--version"], { env })).status).toBe(1);
});
