import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Version } from "../../src/files/destination.ts";
import { FtpullError } from "../../src/errors.ts";
import { NamedFile } from "../../src/files/part/named-file.ts";
import { existing } from "../support/existing.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const identity = { url: "ftp://h/x", size: 2_000_000, modified: new Date(0) };

let directory: string;
beforeEach(async () => {
  directory = await temporaryDirectory();
});

async function failure(
  path: string,
  octets: Buffer = Buffer.from("abc"),
  version: Version = identity,
): Promise<FtpullError> {
  const file = new NamedFile(path, existing.newer);
  try {
    file.choose(version);
    void file.open(version, 0);
    file.writeAt(0, octets);
    file.publish(undefined);
  } catch (error) {
    if (error instanceof FtpullError) return error;
    throw error;
  } finally {
    file.keep();
  }
  throw new Error("it went well");
}

function mounted(octets: number): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${octets}`, "ftpull", directory], {
      stdio: "ignore",
    });
  } catch {
    return false; // root of a container that may not mount
  }
  onTestFinished(() => void execFileSync("umount", [directory]));
  return true;
}

describe("cannot write", () => {
  test("where a parent takes no directories", async (context) => {
    if (process.platform !== "linux") return context.skip();
    expect((await failure("/proc/none/x")).kind).toBe("file");
  });

  test("where the disk is full already: nothing is left", async (context) => {
    if (!mounted(1_048_576)) return context.skip();
    const filling = join(directory, "filling");
    expect(() => fs.writeFileSync(filling, Buffer.alloc(2_000_000))).toThrow("ENOSPC");
    const path = join(directory, "x");
    expect((await failure(path)).message).toContain("no space left on device");
    expect(fs.readdirSync(directory)).toEqual(["filling"]);
  });

  test("to a file system that is read-only", async (context) => {
    if (!mounted(1_048_576)) return context.skip();
    execFileSync("mount", ["-o", "remount,ro", directory]);
    const path = join(directory, "x");
    const { message } = await failure(path);
    expect(message).toBe(`cannot write "${path}.ftpull": read-only file system`);
  });

  test.each([
    ["under a name that is too long", "n".repeat(300), "name too long"],
    ["below a file", "x/y", "not a directory"],
  ])("%s", async (_claim, name, words) => {
    fs.writeFileSync(join(directory, "x"), "");
    const path = join(directory, name);
    const { kind, message } = await failure(path);
    expect([kind, message]).toEqual(["file", `cannot write "${path}": ${words}`]);
  });

  test.runIf(process.getuid?.() !== 0)("where nobody may", async () => {
    fs.chmodSync(directory, 0o500);
    const path = join(directory, "x");
    expect((await failure(path)).message).toBe(`cannot write "${path}": permission denied`);
  });
});
