/** Patterns in the segments of a URL. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { localFiles } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { fetchFrom, ftpull } from "./support/client.ts";

const files = {
  "d/a.txt": "a",
  "d/b.txt": "b",
  "d/.c.txt": "c",
  "d/e.zip": "e",
  "d/*.txt": "star",
  "d/s/f.txt": "f",
};

describe("G1 what a pattern names", () => {
  it.each([
    ["/d/*.zip", { "e.zip": "e" }],
    ["/d/[!ab].txt", { "*.txt": "star" }],
    ["/d/%2A.tx[t]", { "*.txt": "star" }],
    ["/d/.*", { ".c.txt": "c" }],
    ["/d/[.]*", {}],
    ["/d/*", { "*.txt": "star", "a.txt": "a", "b.txt": "b", "e.zip": "e" }],
  ])("%s", async (path, expected) => {
    const { status, cwd } = await fetchFrom({ files }, path);
    expect([status, localFiles(cwd)]).toEqual([Object.keys(expected).length > 0 ? 0 : 8, expected]);
  });

  it("a typecode stands behind the pattern, and behind each name", async () => {
    const { server, status, stderr } = await fetchFrom({ files }, "/d/a*;type=a");
    expect(status).toBe(0);
    expect(stderr).toContain(`files of ${server.url("/d/a*;type=a")}\n`);
    expect(stderr).toContain(`from ${server.url("/d/a.txt;type=a")} in `);
  });

  it.each([
    ["--format is for listings, and what ftp://", "/d/*.txt", ["--format", "table"]],
    ['";type=d" and the pattern "*" contradict each other', "/d/*;type=d", []],
    ["can't stand behind the pattern", "/*/../x", []],
    ["can't stand behind the pattern", "/g/*/%2E%2E/y", []],
  ])("%s: status 2, and no connection (%s)", async (said, path, words) => {
    const { server, status, stderr } = await fetchFrom({ files }, path, words);
    expect(stderr).toContain(said);
    expect([status, server.commands]).toEqual([2, []]);
  });

  it("--no-glob takes it literally", async () => {
    const { status, cwd } = await fetchFrom({ files }, "/d/*.txt", ["--no-glob"]);
    expect([status, localFiles(cwd)]).toEqual([0, { "*.txt": "star" }]);
  });
});

it.each([
  ["/d/*.tar", (url: string) => `list the directory: ${url}`],
  ["/d/[x].tar", () => "--no-glob takes *, [ and ] literally"],
])("G2 no match of %s is status 8, and says so", async (path, hint) => {
  const { server, status, stderr } = await fetchFrom({ files }, path, ["-q"]);
  const words = `ftpull: ${server.url(path)}: no file matches the pattern\n`;
  expect(stderr).toBe(`${words}hint: ${hint(server.url("/d/"))}\n`);
  expect(status).toBe(8);
});

describe("G3 directories that match", () => {
  it("are a note without -r", async () => {
    const { server, status, stderr, cwd } = await fetchFrom({ files }, "/d/[se]*");
    expect(stderr).toContain(`${server.url("/d/s/")}: left out: only -r fetches directories`);
    expect([status, localFiles(cwd)]).toEqual([0, { "e.zip": "e" }]);
  });

  describe("are status 8 where nothing else matches", () => {
    const links = { "d/to-s": "s", "d/to-e": "e.zip", "d/nowhere": "x" };

    it.each<[path: string, words: string[]]>([
      ["/d/*/", []],
      ["/*/[st]", []],
      ["/d/to-[s]", []],
      ["/d/[s]", ["-A", "zip"]],
    ])("%s %j", async (path, words) => {
      const { server, status, stderr, cwd } = await fetchFrom({ files, links }, path, words);
      expect(stderr.match(/left out: only -r fetches directories/g)).toHaveLength(1);
      expect(stderr).toContain(`ftpull: ${server.url(path)}: no file matches the pattern\n`);
      expect([status, localFiles(cwd)]).toEqual([8, {}]);
    });

    it.each<[path: string, words: string[]]>([
      ["/d/[se]*", ["--newer-than", "2030-01-01"]],
      ["/d/to-*", []],
      ["/d/[sn]*", []],
      ["/d/[s]", ["--spider"]],
    ])("not where a file matches, too, or with --spider: %s %j", async (path, words) => {
      const { status, stderr } = await fetchFrom({ files, links }, path, ["-q", ...words]);
      expect([status, stderr]).toEqual([0, ""]);
    });

    it("not where a listing broke off: it may have had files", async () => {
      const content = "type=dir; s\r\n";
      const on = { MLSD: transfer({ content, completion: "426 cut" }) };
      const { status, stderr } = await fetchFrom({ files, on }, "/d/*", ["-q"]);
      expect(status).not.toBe(0);
      expect(stderr).not.toContain("matches the pattern");
    });
  });

  it("are walked with -r, and links followed", async () => {
    const given = { files: { ...files, "o/y": "y" }, links: { "d/s/l": "../../o" } };
    const { status, cwd } = await fetchFrom(given, "/d/[se]*", ["-r"]);
    expect([status, localFiles(cwd)]).toEqual([0, { "e.zip": "e", "s/f.txt": "f", "s/l/y": "y" }]);
  });
});

describe("G4 patterns in inner segments", () => {
  const deep = {
    "g/001/a/a_x.gz": "1a",
    "g/001/b/b_x.gz": "1b",
    "g/001/b/b_x.txt": "text",
    "g/001/.c/c_x.gz": "hidden",
    "g/002/d/d_x.gz": "2d",
    "g/002/d/sub_x.gz/e": "e",
    "g/002/only.txt": "only",
    "g/003/empty.txt": "none",
    "g/note_x.gz": "note",
  };
  const all = { "a_x.gz": "1a", "b_x.gz": "1b", "d_x.gz": "2d" };

  it.each<[path: string, words: string[], expected: Record<string, string>]>([
    ["/g/*/*/*_x.gz", [], all],
    ["/*/002/*/d_*", [], { "d_x.gz": "2d" }],
    ["/g/*/.c/*", [], { "c_x.gz": "hidden" }],
    ["/g/*/d/*_x.gz", ["-r"], { "d_x.gz": "2d", "sub_x.gz/e": "e" }],
    ["/g/*/[ab]/", ["-r"], { "a/a_x.gz": "1a", "b/b_x.gz": "1b", "b/b_x.txt": "text" }],
    ["/g/*/a/*", ["-x", "-nH"], { "g/001/a/a_x.gz": "1a" }],
  ])("%s %j", async (path, words, expected) => {
    const { status, cwd, stderr } = await fetchFrom({ files: deep }, path, words);
    expect([status, localFiles(cwd)], stderr).toEqual([0, expected]);
    expect(stderr).not.toContain("warning: ftp://127.0.0.1/g/003");
  });

  it("lists the directories that match, in their order, and asks for nothing else", async () => {
    const { server } = await fetchFrom({ files: deep }, "/g/00[12]/*/[bd]_x.gz");
    const asked = server.commands.filter((command) => /^(MLSD|RETR|SIZE|MDTM)/.test(command));
    expect(asked.join(" ")).toBe("MLSD MLSD MLSD MLSD RETR b_x.gz MLSD MLSD RETR d_x.gz");
  });

  it("passes over links that lack the rest of the path, and follows the others", async () => {
    const links = { "g/000": "002/only.txt", "g/004": "nowhere", "g/005": "001" };
    const words = ["-nv", "-x", "-nH"];
    const given = { files: deep, links };
    const { status, cwd, stderr } = await fetchFrom(given, "/g/00[045]/a/*", words);
    expect([status, localFiles(cwd)], stderr).toEqual([0, { "g/005/a/a_x.gz": "1a" }]);
    expect(stderr).not.toMatch(/\/00[04]/);
  });

  it("goes through links up to a directory above", async () => {
    const files = { "g/1.txt": "1", "g/s/2.txt": "2" };
    const links = { "g/s/up": "..", "g/s/dot": "." };
    for (const realPwd of [true, false]) {
      const given = { files, links, realPwd };
      const { status, cwd } = await fetchFrom(given, ["/g/s/u*/*.txt", "/g/s/d*/*.txt"]);
      expect([status, localFiles(cwd)]).toEqual([0, { "1.txt": "1", "2.txt": "2" }]);
    }
  });

  it("--spider prints no links on the way, nor warns of those that lead nowhere", async () => {
    const { server, stdout, stderr } = await fetchFrom(
      { files: deep, links: { "g/004": "nowhere", "g/005": "001" } },
      "/g/00[45]/a/*",
      ["--spider"],
    );
    expect(stdout).toBe(`2\t2020-01-02T03:04:05Z\t${server.url("/g/005/a/a_x.gz")}\n`);
    expect(stderr).toBe("");
  });

  it.each(["/g/x*/*/y", "/g/*/nothing/*"])("%s: no match", async (path) => {
    const { server, status, stderr, cwd } = await fetchFrom({ files: deep }, path, ["-q"]);
    expect(stderr).toContain(`ftpull: ${server.url(path)}: no file matches the pattern\n`);
    expect([status, localFiles(cwd)]).toEqual([8, {}]);
  });

  it("a directory that can't be listed is the failure, not the pattern", async () => {
    const given = { files: deep, on: { "CWD a": "550 Permission denied" } };
    const { status, stderr } = await fetchFrom(given, "/g/001/[a]/*.gz");
    expect(stderr).toContain("Permission denied");
    expect(stderr).not.toContain("no file matches");
    expect(status).toBe(8);
  });
});

describe("G5 options of single documents", () => {
  const old = "old";

  it.each([
    ["nothing: name.1", [], { "a.txt": old, "a.txt.1": "a", "b.txt": "b" }],
    ["-N", ["-N"], { "a.txt": "a", "b.txt": "b" }],
    ["--no-clobber", ["--no-clobber"], { "a.txt": old, "b.txt": "b" }],
  ])("%s", async (_claim, words, expected) => {
    const cwd = await folderWith({ "a.txt": old });
    const { status } = await fetchFrom({ files }, "/d/[ab].txt", words, { cwd });
    expect([status, localFiles(cwd)]).toEqual([0, expected]);
  });

  it("-c resumes what another program has begun", async () => {
    const cwd = await folderWith({ "a.txt": "beginning" });
    const given = { files: { "d/a.txt": "beginning and end" } };
    const { status } = await fetchFrom(given, "/d/*.txt", ["-c"], { cwd });
    expect([status, localFiles(cwd)]).toEqual([0, { "a.txt": "beginning and end" }]);
  });

  it("documents with one local name: name.1, or all in the file of -O", async () => {
    const files = { "a/x": "1", "b/x": "2", "c/y\x01": "3", "c/y%01": "4" };
    const server = await startServer({ files });
    const urls = ["/a/*", "/b/*", "/c/*"].map((path) => server.url(path));
    const numbered = await ftpull(urls);
    const expected = { x: "1", "x.1": "2", "y%01": "3", "y%01.1": "4" };
    expect([numbered.status, localFiles(numbered.cwd)]).toEqual([0, expected]);
    expect(await ftpull(["-O", "-", ...urls])).toMatchObject({ status: 0, stdout: "1234" });
  });

  it("-O: all into one, in the order of their names", async () => {
    const content = ["b", "a"].map((each) => `type=file;size=1; ${each}.txt\r\n`);
    const server = { files, on: { MLSD: transfer({ content }) } };
    const { status, cwd } = await fetchFrom(server, "/d/[ab].txt", ["-O", "out"]);
    expect([status, localFiles(cwd)]).toEqual([0, { out: "ab" }]);
  });

  it("a directory that is requested behind the times of files is the one that comes first", async () => {
    const files = { "d/z/x": "1", "d/f": "2", "d/b/x": "3" };
    const server = await startServer({ files, features: ["UTF8", "SIZE", "MDTM"] });
    const { cwd } = await ftpull(["-r", server.url("/d/*")]);
    const before = server.sent("CWD").length;
    await ftpull(["-r", server.url("/d/*")], { cwd });
    const entered = server.sent("CWD").slice(before);
    expect(entered).toEqual(["CWD d", "CWD b", "CWD /", "CWD d", "CWD z"]);
  });
});
