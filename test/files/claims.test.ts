import { renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFile, claimFolder, forgetFolder } from "../../src/files/claims.ts";
import { linkTarget, makeLink, removeTreeLink } from "../../src/files/tree-link.ts";
import { beforeCall } from "../support/before-call.ts";
import { folderWith } from "../support/folder-with.ts";

test("a file has one name in a run, until its directory is forgotten", async () => {
  const top = await folderWith({ "d/a": "1" });
  symlinkSync("d", join(top, "l"));
  const [path, other] = [join(top, "d/a"), join(top, "l/a")];
  expect(claimFile(path)?.size).toBe(1n);
  expect(() => claimFile(other)).toThrow(`cannot write "${other}": here it is the same file as`);
  forgetFolder(join(top, "d/"));
  expect(() => claimFile(other)).not.toThrow();
});

test("a file whose inode another run's file gets meanwhile is not taken for that file", async () => {
  const top = await folderWith({ a: "first", b: "second" });
  const [path, other] = [join(top, "a"), join(top, "b")];
  claimFile(path);
  // Another run replaces both: the new "a" has the inode that "b" had a moment ago.
  renameSync(path, join(top, "old"));
  renameSync(join(top, "old"), other);
  beforeCall("lstatSync", path, () => {
    renameSync(other, path);
    writeFileSync(other, "of the other run");
  });
  expect(() => claimFile(other)).not.toThrow();
});

test("a directory that was renamed since it was claimed may be claimed by its new name", async () => {
  const top = await folderWith({ "a/x": "" });
  const [path, other] = [join(top, "a"), join(top, "b")];
  claimFolder(path, top);
  renameSync(path, other);
  expect(() => claimFolder(other, top)).not.toThrow();
  symlinkSync("b", path);
  expect(() => claimFolder(path, top)).toThrow(`here it is the same directory as "${other}"`);
});

test("a link of a tree has one name in a run, too", async () => {
  const top = await folderWith({ "d/x": "" });
  symlinkSync("d", join(top, "e"));
  makeLink(join(top, "d/l"), "x", top, false);
  const other = join(top, "e/l");
  const words = `cannot write "${other}": here it is the same file as`;
  expect(() => claimFile(other)).toThrow(words);
  expect(() => removeTreeLink(other, top)).toThrow(words);
  expect(linkTarget(other)).toBe("x");
});
