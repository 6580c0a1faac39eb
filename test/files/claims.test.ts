import {
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  checkFolder,
  claimFile,
  claimFolder,
  forgetFolder,
  noteFile,
} from "../../src/files/claims.ts";
import { folderWith } from "../support/folder-with.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A directory with "a", which is claimed, and the same file by way of a link to the directory. */
async function twoNames() {
  const top = await folderWith({ "d/": "" });
  symlinkSync("d", join(top, "l"));
  const [path, other] = [join(top, "d/a"), join(top, "l/a")];
  writeFileSync(path, "1");
  claimFile(path);
  return { top, path, other };
}

describe("a file that has another name of this run", () => {
  test("is refused, by its own name it isn't", async () => {
    const { path, other } = await twoNames();
    expect(() => claimFile(other)).toThrow(`cannot write "${other}": here it is the same file as`);
    expect(claimFile(path)?.size).toBe(1n);
  });

  test("counts as long as it has that name", async () => {
    const { top, path, other } = await twoNames();
    renameSync(path, join(top, "d/b"));
    expect(() => claimFile(join(top, "l/b"))).not.toThrow();
    writeFileSync(path, "2");
    noteFile(path, statSync(path, { bigint: true }));
    expect(() => claimFile(other)).toThrow("the same file");
  });

  test("is another one after a second link was made", async () => {
    const { top, path } = await twoNames();
    linkSync(path, join(top, "d/b"));
    expect(() => claimFile(join(top, "d/b"))).not.toThrow();
  });

  test("is forgotten with its directory", async () => {
    const { top, other } = await twoNames();
    forgetFolder(join(top, "d/"));
    expect(() => claimFile(other)).not.toThrow();
  });

  test("that isn't there is nothing", async () => {
    expect(claimFile(join(await temporaryDirectory(), "a"))).toBeUndefined();
  });
});

describe("a directory of a tree", () => {
  test("is looked at again where it has become another one", async () => {
    const top = await temporaryDirectory();
    const path = join(top, "d");
    claimFolder(path, top); // isn't made yet
    mkdirSync(path);
    expect(() => checkFolder(path)).not.toThrow();
    rmSync(path, { recursive: true });
    symlinkSync("..", path);
    expect(() => checkFolder(path)).toThrow("a symbolic link leads out");
  });

  test("that no tree has is not looked at", async () => {
    const top = await temporaryDirectory();
    symlinkSync("..", join(top, "d"));
    expect(() => checkFolder(join(top, "d"))).not.toThrow();
  });

  test("has one name, until that is another directory's", async () => {
    const top = await temporaryDirectory();
    const [first, second] = [join(top, "d"), join(top, "e")];
    mkdirSync(first);
    symlinkSync("d", second);
    claimFolder(first, top);
    expect(() => claimFolder(second, top)).toThrow(`the same directory as "${first}"`);
    renameSync(first, join(top, "f"));
    rmSync(second);
    symlinkSync("f", second);
    expect(() => claimFolder(second, top)).not.toThrow();
  });
});
