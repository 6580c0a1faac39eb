import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { RunningProgram } from "./run.ts";

function program(source: string, timeoutMs = 10_000): RunningProgram {
  return new RunningProgram(spawn(process.execPath, ["-e", source]), "/", timeoutMs);
}

describe("a running program", () => {
  it("ends with its status and all that it said", async () => {
    const { finished } = program('console.log("out"); console.error("err"); process.exitCode = 3');
    const expected = { status: 3, signal: null, stdout: "out\n", stderr: "err\n" };
    expect(await finished).toMatchObject(expected);
  });

  it("can be waited for until it says something, and talked to", async () => {
    const talker = program('console.log("well?"); process.stdin.pipe(process.stdout)');
    await talker.says("well?");
    talker.child.stdin.end("yes");
    expect((await talker.finished).stdout).toBe("well?\nyes");
  });

  it("that ends without saying it fails, with its output", async () => {
    await expect(program('console.error("why")').says("well?")).rejects.toThrow("why");
  });

  it("is killed when it takes too long", async () => {
    const { finished } = program("setInterval(() => {}, 1000)", 50);
    await expect(finished).rejects.toThrow("not finished after 50 ms");
  });
});
