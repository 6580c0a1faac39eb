/** Links that are followed, as --links follow does: what they lead to is fetched, and no circle goes on for ever. */
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { localFiles } from "../support/local-tree.ts";
import { fetchTree, ftpull } from "./support/client.ts";

const follow = ["--links", "follow"];

const servers: [command: string, options: ServerOptions][] = [
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE"] }],
];

/** Fetches /d/ of such servers. */
function treeOf(options: ServerOptions) {
  return (more: ServerOptions, words: string[] = [], typecode = "") =>
    fetchTree({ ...options, ...more }, [...words, ...follow], { path: `/d/${typecode}` });
}

/** Way to /d/ from a link in it that its text doesn't show: "other" may be a link. */
const back = "../other/../d";

const tooDeep = "directories are more than 100 levels deep: a link may lead in a circle";

describe.each(servers)("over %s", (_command, options) => {
  const tree = treeOf(options);

  it("T11 a link to a file: its content, and no local link", async () => {
    const files = { "d/x": "1", "other/y": "22" };
    const found = await tree({ files, links: { "d/in": "x", "d/out": "/other/y" } });
    expect(found.status).toBe(0);
    expect(found.files).toEqual({ "d/x": "1", "d/in": "1", "d/out": "22" });
  });

  it.each([false, true])(
    "T12 a link to a directory outside: its files, with -c in a second run as well (real PWD: %s)",
    async (realPwd) => {
      const files = { "d/x": "1", "d/o/z": "3", "other/y": "2" };
      const links = { "d/l": "../other", "d/o/o": "../../other" };
      const { cwd, server, ...first } = await tree({ files, links, realPwd }, ["-c", "-q"]);
      const second = await ftpull(["-r", ...follow, "-c", "-q", server.url("/d/")], { cwd });
      for (const result of [first, second]) expect(result).toMatchObject({ status: 0, stderr: "" });
      const all = { "d/x": "1", "d/o/z": "3", "d/l/y": "2", "d/o/o/y": "2" };
      expect([first.files, localFiles(cwd)]).toEqual([all, all]);
    },
  );

  it.each([
    ["-A, of a file", ["-A", "x"], { "d/x": "1", "d/o/x": "2" }],
    ["-R, of a directory", ["-R", "o/"], { "d/x": "1", "d/f": "1", "d/o.y": "1" }],
  ])("T24 a link that is left out is no failure: %s", async (_claim, words, expected) => {
    const links = { "d/f": "x", "d/o": "../other", "d/o.y": "x" };
    const files = { "d/x": "1", "other/x": "2" };
    for (const typecode of ["", ";type=a"]) {
      const found = await tree({ files, links }, words, typecode);
      expect([found.status, found.files]).toEqual([0, expected]);
    }
  });

  it("T13 a dangling link is a warning alone", async () => {
    const found = await tree({ files: { "d/x": "1" }, links: { "d/gone": "nowhere" } });
    const url = found.server.url("/d/gone");
    expect(found.stderr).toContain(`warning: ${url}: the link leads nowhere`);
    expect([found.status, found.files]).toEqual([0, { "d/x": "1" }]);
  });

  // In ASCII no size is asked for.
  it.each(["", ";type=a"])("T13 a link to a file that is refused is a failure%s", async (type) => {
    const on = { "RETR l": "550 Permission denied" };
    const more = { files: { "d/x": "1", y: "2" }, links: { "d/l": "../y" }, on };
    const found = await tree(more, [], type);
    expect(found.stderr).toContain(
      `${found.server.url(`/d/l${type}`)}: cannot retrieve "l": server`,
    );
    expect([found.status, found.files]).toEqual([8, { "d/x": "1" }]);
  });

  it.each(["550", "530"])(
    "T13 a link to a directory that CWD answers %s is a failure",
    async (code) => {
      const there = { files: { "d/x": "1", "other/y": "2" }, links: { "d/l": "../other" } };
      const found = await tree({ ...there, on: { "CWD l": `${code} not for you` } });
      expect(found.stderr).toContain(
        `/d/l: cannot enter the directory "l": server replied ${code}`,
      );
      expect([found.status, found.files]).toEqual([8, { "d/x": "1" }]);
    },
  );
});

describe.each(servers)("over %s, where PWD shows links,", (_command, options) => {
  const tree = treeOf({ ...options, realPwd: true });

  it.each([
    ["to the directory above", { "d/s/l": ".." }],
    ["in a circle of two", { "d/l": "/e", "e/m": "/d" }],
    ["of two in a circle", { "d/a": ".", "d/b": ".", "d/s/a": "..", "d/s/b": "../s" }],
  ])("T12 T15 a link %s is not followed, for ever", async (_claim, links) => {
    const found = await tree({ files: { "d/x": "1", "d/s/y": "2" }, links });
    expect(found.files).toEqual({ "d/x": "1", "d/s/y": "2" });
    expect(found.server.sent("MLSD", "LIST").length).toBeLessThan(12);
    expect(found.stderr).toMatch(/: left out: it leads back to \S.*\n/);
    expect(found.status).toBe(0);
  });
});

describe.each(servers)("over %s, a directory that has several names", (_command, options) => {
  const tree = treeOf({ ...options, realPwd: true });
  const deep = { "d/a/b/c/x": "1", "d/a/b/c/s/t/y": "2" };
  const all = { ...deep, "d/z/x": "1", "d/z/s/t/y": "2" };
  const { "d/a/b/c/s/t/y": _deepest, ...cut } = all;

  it.each<[claim: string, words: string[], files: Record<string, string>]>([
    ["also what -l has cut off elsewhere", ["-l", "5"], cut],
    ["over several connections, too", ["-j", "4"], all],
  ])("T12 is fetched in full by each, %s", async (_claim, words, files) => {
    const links = { "d/z": "a/b/c" };
    const limit = words.includes("-l") ? [] : ["-l", "0"];
    const found = await tree({ files: deep, links }, [...limit, ...words]);
    expect([found.status, found.files]).toEqual([0, files]);
  });
});

it.each(servers)(
  "T12 a link to the login directory is known by PWD: %s",
  async (_command, options) => {
    const all = { files: { x: "1", "s/y": "2" }, links: { pub: "." }, realPwd: true };
    const found = await fetchTree({ ...options, ...all }, ["-nH", ...follow], { path: "/" });
    expect([found.status, found.files]).toEqual([0, { x: "1", "s/y": "2" }]);
  },
);

describe("where PWD doesn't show links", () => {
  it("T15 a link that MLSD shows as a directory ends at 100 levels as a failure", async () => {
    const on = { MLSD: transfer({ content: "type=dir; a\r\ntype=file;size=1; x\r\n" }) };
    const given = { files: { "d/x": "1" }, links: { "d/a": "." }, on };
    const { server, status, stderr } = await fetchTree(given, follow);
    expect(stderr).toContain(tooDeep);
    expect([status, server.sent("MLSD", "LIST").length]).toEqual([7, 100]);
  });

  it.each(servers)("T15 two links end below themselves: %s", async (_command, options) => {
    const links = { "d/a": back, "d/b": back, "d/out": "../other" };
    const files = { "d/x": "1", "other/y": "22" };
    const { status, stderr, ...found } = await treeOf(options)({ files, links });
    expect(stderr).toContain("/d/a/b/a: left out: it leads back");
    const way = ["", "a/", "b/", "a/b/", "b/a/"];
    expect(Object.keys(found.files).toSorted()).toEqual(
      way.flatMap((link) => [`d/${link}out/y`, `d/${link}x`]).toSorted(),
    );
    expect(status).toBe(0);
  });

  const unique = (name: string, value: string): string => `type=dir;unique=${value}; ${name}\r\n`;

  it("T15 a plain directory whose unique fact is that of one above it isn't entered: status 7", async () => {
    const top = ["type=cdir;unique=1; .\r\n", unique("up", "1"), unique("s", "2")];
    const below = [unique("back", "2"), unique("top", "1"), "type=file;size=1; y\r\n"];
    const on = { "MLSD#1": transfer({ content: top }), "MLSD#2": transfer({ content: below }) };
    const links = { "d/up": ".", "d/s/back": ".", "d/s/top": ".." };
    const given = { files: { "d/s/y": "2" }, links, on };
    const { server, status, stderr, files } = await fetchTree(given);
    const words = "cannot list the directory: it is a directory above itself";
    for (const path of ["/d/up/", "/d/s/back/", "/d/s/top/"])
      expect(stderr).toContain(`ftpull: ${server.url(path)}: ${words}\n`);
    expect([status, files]).toEqual([7, { "d/s/y": "2" }]);
    expect(server.sent("MLSD", "LIST").length).toBe(2);
  });

  it.each(["", "7"])("T15 50 nested directories of one name are no circle: %j", async (value) => {
    const files = { [`d/${"a/".repeat(50)}x`]: "1" };
    const on = { "MLSD#1": transfer({ content: unique("a", value) }) };
    const found = await fetchTree({ files, on });
    expect([found.status, found.files]).toEqual([0, files]);
  });
});
