/** What is on the disk before and after a tree: links, files in the way, partial files, times. */
import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fetchFrom, fetchTree, ftpull } from "./support/client.ts";

const files = { "d/a": "1", "d/s/b": "2", "d/z": "3" };

describe("T18 a local symbolic link never leads out", () => {
  const elsewhere = async () => {
    const [cwd, outside] = [await temporaryDirectory(), await temporaryDirectory()];
    fs.writeFileSync(join(outside, "a"), "mine");
    fs.mkdirSync(join(cwd, "d"));
    return { cwd, outside, server: await startServer({ files }) };
  };

  it.each(["", "new"])("a directory isn't entered, the others arrive: to %j", async (target) => {
    const { cwd, outside, server } = await elsewhere();
    fs.symlinkSync(join(outside, target), join(cwd, "d/s"));
    const { status, stderr } = await ftpull(["-r", "-q", server.url("/d/")], { cwd });
    expect(stderr).toContain('cannot write "d/s": "d/s" is a symbolic link');
    const { "d/s": _link, ...arrived } = localFiles(cwd);
    expect([status, arrived]).toEqual([3, { "d/a": "1", "d/z": "3" }]);
    expect(localTree(outside)).toEqual({ a: "mine" });
  });

  it.each(["a", "new"])("a file is replaced by the server's: to %j", async (target) => {
    const { cwd, outside, server } = await elsewhere();
    fs.symlinkSync(join(outside, target), join(cwd, "d/a"));
    const { status } = await ftpull(["-r", "-q", server.url("/d/")], { cwd });
    expect([status, localFiles(cwd)]).toEqual([0, files]);
    expect(localTree(outside)).toEqual({ a: "mine" });
  });

  it("the top directory, also on the way to it", async () => {
    const { cwd, outside, server } = await elsewhere();
    fs.symlinkSync(outside, join(cwd, "e"));
    const words = ["-r", "-q", "-nH", "-P", "p"];
    fs.mkdirSync(join(cwd, "p"));
    fs.symlinkSync(outside, join(cwd, "p/d"));
    for (const path of ["/d/", "/d/a", "/d/s/"])
      expect((await ftpull([...words, server.url(path)], { cwd })).status).toBe(3);
    expect(localTree(outside)).toEqual({ a: "mine" });
  });
});

describe("T18 a local link is no second name for what the tree has", () => {
  const links = async (target: string, on: string, files: Record<string, string>) => {
    const cwd = await folderWith({ "d/old/": "" });
    fs.symlinkSync(target, join(cwd, on));
    return { cwd, server: await startServer({ files }) };
  };
  const versions = { "d/a": "first", "d/b": "second", "d/c": "third", "d/latest": "third" };

  it("for a pattern, a file that is a link to another one is not written", async () => {
    const { cwd, server } = await links("a", "b", versions);
    const { status, stderr } = await ftpull(["-q", "-N", server.url("/d/*")], { cwd });
    expect(stderr).toContain(`and this run has it for ${server.url("/d/a")}`);
    const here = { a: "first", b: " -> a", c: "third", latest: "third" };
    expect([status, localFiles(cwd)]).toEqual([3, here]);
  });

  it.each([[[]], [["-f"]], [["-c"]], [["-j", "3"]]])(
    "-r puts the file in the place of a link to another one: %j",
    async (words) => {
      for (const target of ["a", "c"]) {
        const { cwd, server } = await links(target, "d/b", versions);
        const { status } = await ftpull(["-r", "-q", ...words, server.url("/d/")], { cwd });
        expect([status, localFiles(cwd)]).toEqual([0, versions]);
      }
    },
  );

  it("--no-clobber leaves such links: a directory's is refused, and nothing goes through it", async () => {
    const files = { "d/a": "1", "d/b": "2", "d/new/x": "3", "d/old/y": "4" };
    const { cwd, server } = await links("old", "d/new", files);
    fs.symlinkSync("a", join(cwd, "d/b"));
    const words = ["-r", "-q", "--no-clobber", server.url("/d/")];
    const { status, stderr } = await ftpull(words, { cwd });
    expect(stderr).toContain('/d/new/: cannot write "d/new": "d/new" is a symbolic link\n');
    const here = { "d/a": "1", "d/b": " -> a", "d/new": " -> old", "d/old/y": "4" };
    expect([status, localFiles(cwd)]).toEqual([3, here]);
  });
});

describe("T21 what is in the way fails alone, with status 3", () => {
  it("a file where a directory must be, and a directory where a file must be", async () => {
    const cwd = await folderWith({ "d/s": "mine", "d/a/": "" });
    const found = await fetchTree({ files }, [], { cwd });
    expect(found.stderr).toContain('cannot make the directory "d/s": there is a file');
    expect(found.stderr).toContain('cannot write "d/a": it is a directory');
    expect([found.status, found.files]).toEqual([3, { "d/s": "mine", "d/z": "3" }]);
  });
});

describe("T25 -r with the URL of a file that is here already", () => {
  it.each([
    [[], { x: "mine", "x.1": "theirs" }],
    [["-x", "-nH"], { "d/x": "theirs", x: "mine" }],
    [["--no-clobber"], { x: "mine" }],
    [["-N"], { x: "theirs" }],
    [["-f"], { x: "theirs" }],
  ])("with %j does what it does without -r", async (words, expected) => {
    for (const recursive of [["-r"], []]) {
      const cwd = await folderWith({ x: "mine" });
      const given = { files: { "d/x": "theirs" } };
      const { status } = await fetchFrom(given, "/d/x", [...recursive, ...words], { cwd });
      expect([status, localFiles(cwd)]).toEqual([0, expected]);
    }
  });

  it("leaves one that is as the server's, and never writes through a link", async () => {
    const server = await startServer({ files: { "d/x": "text" } });
    const cwd = await temporaryDirectory();
    const words = ["-r", server.url("/d/x")];
    for (const _run of [1, 2]) expect((await ftpull(words, { cwd })).status).toBe(0);
    expect(localFiles(cwd)).toEqual({ x: "text" });
    fs.writeFileSync(join(cwd, "y"), "mine");
    fs.unlinkSync(join(cwd, "x"));
    fs.symlinkSync("y", join(cwd, "x"));
    expect((await ftpull(words, { cwd })).status).toBe(0);
    expect(localFiles(cwd)).toEqual({ x: " -> y", "x.1": "text", y: "mine" });
  });

  it("fetches what is below a directory of that name, in an existing directory", async () => {
    const settings = { cwd: await folderWith({ "d/": "" }), path: "/d" };
    const found = await fetchTree({ files: { "d/x": "text" } }, [], settings);
    expect([found.status, found.files]).toEqual([0, { "d/x": "text" }]);
  });
});

it("T9 -c in a tree replaces a shorter file, and doesn't take it for the beginning", async () => {
  const cwd = await folderWith({ "d/x": "new" });
  const found = await fetchTree({ files: { "d/x": "new text" } }, ["-c"], { cwd });
  expect([found.status, found.files]).toEqual([0, { "d/x": "new text" }]);
  expect(found.server.sent("REST")).toEqual([]);
});

describe("T20 directories", () => {
  const dates = { d: new Date("2010-01-01T00:00:00Z"), "d/s": new Date("2011-01-01T00:00:00Z") };

  it("don't with --no-mtime; nor does the directory that -P names", async () => {
    const given = { files, directoryDates: dates };
    const { cwd } = await fetchTree(given, ["--no-mtime"]);
    expect(fs.statSync(join(cwd, "d")).mtime > dates.d).toBe(true);
    const other = await fetchTree(given, ["-nH", "--cut-dirs", "1"]);
    expect(fs.statSync(other.cwd).mtime > dates.d).toBe(true);
    expect(fs.statSync(join(other.cwd, "s")).mtime).toEqual(dates["d/s"]);
    const flat = await fetchTree(given, ["-nd"]);
    expect(fs.statSync(flat.cwd).mtime > dates["d/s"]).toBe(true);
  });

  it("are made when they are empty; nothing is deleted", async () => {
    const cwd = await folderWith({ "d/mine": "mine" });
    const given = { files: { "d/a": "1" }, directories: ["d/e/f"] };
    const { status } = await fetchTree(given, [], { cwd });
    const all = { "d/": "", "d/a": "1", "d/e/": "", "d/e/f/": "", "d/mine": "mine" };
    expect([status, localTree(cwd)]).toEqual([0, all]);
  });
});

describe("T24 -A and -R", () => {
  const all = { "d/a.txt": "1", "d/a.zip": "2", "d/old/b.txt": "3", "d/s/c.txt": "4" };

  it.each([
    ["a suffix", ["-A", ".txt"], ["d/a.txt", "d/old/b.txt", "d/s/c.txt"]],
    ["a comma list", ["-A", "txt,zip"], ["d/a.txt", "d/a.zip", "d/old/b.txt", "d/s/c.txt"]],
    ["both", ["-A", "txt", "-R", "a*"], ["d/old/b.txt", "d/s/c.txt"]],
  ])("%s", async (_claim, words, expected) => {
    const found = await fetchTree({ files: all }, words);
    expect([found.status, Object.keys(found.files)]).toEqual([0, expected]);
  });

  it.each([
    [["-R", "*"], true],
    [["--newer-than", "2030-01-01"], false],
    [["-A", "zip"], false],
    [["-A", "*.iso", "--spider"], false],
  ])("no file meets them: a warning, unless an age may be why: %j", async (words, isTold) => {
    const { status, stderr } = await fetchTree({ files: all }, ["-q", ...words]);
    const warning = "ftpull: warning: nothing was fetched: no file meets -A, -R, ";
    expect([status, stderr.includes(warning)]).toEqual([0, isTold]);
  });
});
