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

describe("writes", () => {
  test("begin at the position that was given", () => {
    new FileWriter(fd, '"x"').write(Buffer.from("abc"), 3);
    expect(fs.readFileSync(path, "latin1")).toBe("\0\0\0abc");
  });

  test("without a position go where the descriptor stands", () => {
    fs.writeSync(fd, "abc");
    new FileWriter(fd, '"x"').write(Buffer.from("def"));
    expect(fs.readFileSync(path, "latin1")).toBe("abcdef");
  });
});

describe("a device that is full", () => {
  const full = fs.existsSync("/dev/full");
  test.runIf(full)("fails, and takes nothing of 0 octets", () => {
    const device = fs.openSync("/dev/full", "w");
    onTestFinished(() => fs.closeSync(device));
    const writer = new FileWriter(device, '"x"');
    writer.write(Buffer.alloc(0));
    expect(() => writer.write(Buffer.from("abc"))).toThrow(
      'cannot write "x": no space left on device',
    );
  });
});
