import fs, { mkdirSync, symlinkSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkInside } from "../../src/files/links.ts";
import { makeFolder } from "../../src/files/private-file.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

describe("a path inside of a directory", () => {
  const places = async () => {
    const base = await temporaryDirectory();
    const top = join(base, "top");
    mkdirSync(join(base, "out"));
    mkdirSync(join(top, "in"), { recursive: true });
    return { base, top };
  };

  test.each([
    ["a file", "x"],
    ["one that doesn't exist, in directories that don't", "a/b/c"],
    ["a link to another directory inside", "good/x"],
    ["a name that only begins with dots", "..x"],
  ])("%s is permitted", async (_claim, path) => {
    const { top } = await places();
    symlinkSync("in", join(top, "good"));
    expect(() => checkInside(join(top, path), top)).not.toThrow();
  });

  test.each([
    ["a link to a directory outside", "../out", "l"],
    ["what is below one", "../out", "l/a/b"],
    ["a link to nothing outside", "../out/new", "l"],
    ["a link to the directory above", "..", "l"],
    ["a link to a directory with the same beginning", "../top2", "l"],
  ])("%s is refused", async (_claim, target, path) => {
    const { base, top } = await places();
    mkdirSync(join(base, "top2"));
    symlinkSync(target, join(top, "l"));
    expect(() => checkInside(join(top, path), top)).toThrow(`leads out of "${top}"`);
  });

  test("links in a circle are refused", async () => {
    const { top } = await places();
    symlinkSync("b", join(top, "a"));
    symlinkSync("a", join(top, "b"));
    expect(() => checkInside(join(top, "a"), top)).toThrow("too many symbolic links");
  });
});

test("a directory that another run makes at the same moment is no failure", async () => {
  const path = join(await temporaryDirectory(), "d");
  const { mkdirSync } = fs;
  fs.mkdirSync = ((each: string) => {
    mkdirSync(each);
    mkdirSync(each);
  }) as typeof mkdirSync;
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.mkdirSync = mkdirSync;
    syncBuiltinESMExports();
  });
  expect(() => makeFolder(path)).not.toThrow();
  expect(fs.statSync(path).isDirectory()).toBe(true);
});
