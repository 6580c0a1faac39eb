import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { FileWriter } from "../../src/files/file-writer.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

let path: string;
let fd: number;
beforeEach(async () => {
  path = join(await temporaryDirectory(), "x");
  fd = fs.openSync(path, "w");
  onTestFinished(() => fs.closeSync(fd));
});

/** A clock that a write of these durations, in milliseconds, moves on; 0 when they are used up. */
function clockOf(durations: number[]): () => number {
  let now = 0;
  let calls = 0;
  return () => (calls++ % 2 === 0 ? now : (now += durations.shift() ?? 0));
}

/** Writes n chunks, and tells for each whether it was asynchronous. */
async function kinds(writer: FileWriter, count: number): Promise<string> {
  let kind = "";
  for (let index = 0; index < count; index++) {
    const written = writer.write(Buffer.from("x"), index);
    kind += written === undefined ? "s" : "a";
    await written;
  }
  return kind;
}

describe("writes", () => {
  test("are synchronous while the disk keeps up", async () => {
    const writer = new FileWriter(fd, '"x"', clockOf([50, 50, 50]));
    expect(await kinds(writer, 4)).toBe("ssss");
    expect(fs.readFileSync(path, "latin1")).toBe("xxxx");
  });

  test("are asynchronous after a slow one, until 32 in a row were quick", async () => {
    const writer = new FileWriter(fd, '"x"', clockOf([51]));
    expect(await kinds(writer, 35)).toBe(`s${"a".repeat(32)}ss`);
    expect(writer.end).toBe(35);
  });

  test("stay asynchronous when one of these is slow too", async () => {
    const writer = new FileWriter(fd, '"x"', clockOf([51, 0, 51]));
    expect(await kinds(writer, 36)).toBe(`s${"a".repeat(34)}s`);
    expect(fs.readFileSync(path, "latin1")).toBe("x".repeat(36));
  });

  test("that are under way are waited for by idle", async () => {
    const writer = new FileWriter(fd, '"x"', clockOf([51]));
    await writer.write(Buffer.from("abc"));
    void writer.write(Buffer.alloc(1_000_000));
    await writer.idle();
    expect(fs.statSync(path).size).toBe(1_000_003);
  });

  test("begin at the position that was given", async () => {
    await new FileWriter(fd, '"x"').write(Buffer.from("abc"), 3);
    expect(fs.readFileSync(path, "latin1")).toBe("\0\0\0abc");
  });

  test("without a position go where the descriptor stands", async () => {
    fs.writeSync(fd, "abc");
    await new FileWriter(fd, '"x"').write(Buffer.from("def"));
    expect(fs.readFileSync(path, "latin1")).toBe("abcdef");
  });
});

describe("a device that is full", () => {
  const full = fs.existsSync("/dev/full");
  test.runIf(full).each([
    ["at once", []],
    ["asynchronously", [51]],
  ])("fails %s", async (_, durations) => {
    const device = fs.openSync("/dev/full", "w");
    onTestFinished(() => fs.closeSync(device));
    const writer = new FileWriter(device, '"x"', clockOf(durations));
    if (durations.length > 0) await writer.write(Buffer.alloc(0));
    await expect((async () => writer.write(Buffer.from("abc")))()).rejects.toThrow(
      'cannot write "x": no space left on device',
    );
    await writer.idle();
  });
});
