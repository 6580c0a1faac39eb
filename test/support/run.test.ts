import { spawn } from "node:child_process";
import { expect, it } from "vitest";
import { RunningProgram } from "./run.ts";

function program(source: string, timeoutMs = 60_000): RunningProgram {
  return new RunningProgram(spawn(process.execPath, ["-e", source]), "/", timeoutMs);
}

it("a running program is talked to, and ends with its status and all that it said", async () => {
  const talker = program(
    'console.log("well?"); process.stdin.pipe(process.stdout); console.error("err"); process.exitCode = 3',
  );
  await talker.says("well?");
  talker.child.stdin.end("yes");
  const expected = { status: 3, signal: null, stdout: "well?\nyes", stderr: "err\n" };
  expect(await talker.finished).toMatchObject(expected);
});

it("one that ends without saying what it should fails, with its output", async () => {
  await expect(program('console.error("why")').says("well?")).rejects.toThrow("why");
});

it("one that takes too long is killed", async () => {
  const { finished } = program("setInterval(() => {}, 1000)", 50);
  await expect(finished).rejects.toThrow("not finished after 50 ms");
});
