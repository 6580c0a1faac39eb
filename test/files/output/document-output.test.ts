import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Destination } from "../../../src/files/destination.ts";
import { documentOutput } from "../../../src/files/output/document-output.ts";
import { existing } from "../../support/existing.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const identity = { url: "ftp://h/x", size: undefined, modified: undefined };

let stdout: PassThrough;
const openStdout = () => stdout;
let directory: string;
beforeEach(async () => {
  stdout = new PassThrough();
  directory = await temporaryDirectory();
});

async function send(output: Destination, octets: string): Promise<void> {
  const here = output.choose(identity)?.octets ?? 0;
  await output.open(identity, here);
  await output.writeAt(here, Buffer.from(octets));
}

describe("-O names", () => {
  test.each(["-", "/dev/stdout"])("standard output by %s", async (file) => {
    const output = documentOutput(file, existing.newer, openStdout);
    expect(output.label).toBe("standard output");
    await send(output, "abc");
    expect(stdout.read()).toEqual(Buffer.from("abc"));
  });

  test("a device, which is written and never replaced", async () => {
    const output = documentOutput("/dev/null", existing.newer, openStdout);
    await send(output, "abc");
    output.publish(undefined);
    expect(fs.statSync("/dev/null").isCharacterDevice()).toBe(true);
  });

  test("a device that is full, which fails", async () => {
    await expect(
      send(documentOutput("/dev/full", existing.newer, openStdout), "abc"),
    ).rejects.toThrow('cannot write "/dev/full": no space left on device');
  });

  test("a directory, which is refused", async () => {
    await expect(
      send(documentOutput(directory, existing.newer, openStdout), "abc"),
    ).rejects.toThrow(`cannot write "${directory}": it is a directory`);
  });
});

function readerOf(path: string, octets: number): Readable {
  const fd = fs.openSync(path, "r+"); // which doesn't wait for a writer
  const reader = spawn("head", [`-c${octets}`], { stdio: [fd, "pipe", "inherit"] });
  fs.closeSync(fd);
  return reader.stdout!;
}

describe("a FIFO", () => {
  let path: string;
  beforeEach(() => {
    path = join(directory, "fifo");
    execFileSync("mkfifo", [path]);
  });

  test("is written, more than it holds at once", async () => {
    const output = documentOutput(path, existing.newer, openStdout);
    const received = textOf(readerOf(path, 300_000));
    await send(output, "x".repeat(300_000));
    expect(await received).toHaveLength(300_000);
    expect(fs.statSync(path).isFIFO()).toBe(true);
  });

  test("is opened for an empty file, too", async () => {
    const output = documentOutput(path, existing.newer, openStdout);
    await output.open(identity, 0);
    output.publish(undefined);
    await (await fs.promises.open(path)).close();
  });

  test("whose reader goes away tells that nobody reads", async () => {
    const output = documentOutput(path, existing.newer, openStdout);
    const reader = readerOf(path, 1);
    await send(output, "abc");
    expect(await textOf(reader)).toBe("a");
    await expect(send(output, "def")).rejects.toMatchObject({ reason: "output closed" });
  });
});

describe("standard output", () => {
  test("holds a writer up until its reader has caught up", async () => {
    const output = documentOutput("-", existing.newer, () => new PassThrough({ highWaterMark: 1 }));
    let settled = false;
    const sent = send(output, "abc").then(() => send(output, "def"));
    void sent.then(() => (settled = true));
    await new Promise(setImmediate);
    expect(settled).toBe(false);
  });

  test("knows its last bytes, and can't take them back", async () => {
    const output = documentOutput("-", existing.newer, openStdout);
    expect(output.rewindable).toBe(true);
    await send(output, "a".repeat(5000));
    await send(output, "bc");
    expect(output.choose(identity)).toEqual({ octets: 5002, version: identity });
    expect(output.tail(5002, 3).toString()).toBe("abc");
    expect(output.tail(5001, 2).toString()).toBe("ab");
    expect(output.tail(5002, 9999)).toHaveLength(4096);
    expect(output.rewindable).toBe(false);
    expect(() => output.open(identity, 0)).toThrow(
      "cannot go back to byte 0: 5002 bytes are on standard output already",
    );
  });

  test("counts each document from its own byte 0", async () => {
    const output = documentOutput("-", existing.newer, openStdout);
    await send(output, "abc");
    output.publish(undefined);
    expect(output.choose(identity)).toBeUndefined();
    expect(output.tail(0, 4096)).toHaveLength(0);
    await send(output, "def");
    expect(output.choose(identity)?.octets).toBe(3);
  });
});
