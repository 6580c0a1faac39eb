/** Links that lead into their tree are links here, too; all others are followed. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryPath } from "../../src/files/part/temporary.ts";
import { transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { leavePart } from "../support/part.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run as runAsProcess } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { ftpull } from "./support/client.ts";

const servers: [command: string, options: ServerOptions][] = [
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE", "MDTM"] }],
];

/** Fetches /d/ of such a server, in `cwd` if it is given. */
async function fetched(options: ServerOptions, words: string[] = [], cwd?: string, url = "/d/") {
  const server = await startServer({ realPwd: true, ...options });
  const all = ["-r", "-l", "0", ...words, server.url(url)];
  const result = await ftpull(all, cwd === undefined ? {} : { cwd });
  return { ...result, server, files: withoutModified(localFiles(result.cwd)) };
}

/** A mirror's log names links that are new or lead elsewhere, as it names files. */
function linkLines(stderr: string): string[] {
  const lines = stderr.split("\n").filter((line) => line.includes(": now a link to "));
  return lines.toSorted();
}

/** The host's port stands in names of -x. */
function withoutModified(files: Record<string, string>): Record<string, string> {
  const renamed = Object.entries(files).map(([path, text]) => {
    return [path.replace(/127\.0\.0\.1:\d+/, "HOST"), text] as const;
  });
  return Object.fromEntries(renamed);
}

/** Links that lead below d/s. */
const toS = { "d/ly": " -> s/t/y", "d/p": " -> s/t" };

/** What is kept and followed where d/s is left out, to which ly and p lead. */
const withoutS = { "d/2.0/x": "2", "d/1.0/x": "1", "d/l": " -> 2.0/x", "d/ly": "3", "d/p/y": "3" };

const release = { "d/2.0/x": "2", "d/1.0/x": "1", "d/s/t/y": "3" };

describe.each(servers)("over %s, a link", (_command, options) => {
  it("that is left out of a smaller tree stays as a larger one made it", async () => {
    const files = { "d/t/x": "1" };
    const words = ["-nH"];
    const first = await fetched({ ...options, files, links: { "d/t/up": ".." } }, words);
    expect(first.files).toEqual({ "d/t/x": "1", "d/t/up": " -> .." });
    const all = ["-r", "-l", "0", ...words, first.server.url("/d/t/")];
    const { status, stderr } = await ftpull(all, { cwd: first.cwd });
    expect(stderr).toMatch(/up\/: left out: it leads back to a directory above the tree/);
    expect([status, localFiles(first.cwd)]).toMatchObject([0, first.files]);
  });

  it.each<[claim: string, links: Record<string, string>, local: Record<string, string>]>([
    ["to a directory", { "d/latest": "2.0" }, { "d/latest": "2.0" }],
    ["to a directory, with a slash", { "d/latest": "./2.0/" }, { "d/latest": "2.0" }],
    ["to a file", { "d/l": "2.0/x" }, { "d/l": "2.0/x" }],
    ["upwards", { "d/s/t/l": "../../2.0" }, { "d/s/t/l": "../../2.0" }],
    ["by a way that isn't the shortest", { "d/s/t/l": "../../s/t/y" }, { "d/s/t/l": "y" }],
    ["to the tree's top", { "d/s/up": ".." }, { "d/s/up": ".." }],
    ["to its own directory", { "d/s/here": "." }, { "d/s/here": "." }],
    ["from the root", { "d/s/l": "/d/2.0" }, { "d/s/l": "../2.0" }],
    ["from the root to the top", { "d/l": "/d" }, { "d/l": "." }],
    ["out of the top and back", { "d/s/l": "../../d/2.0/x" }, { "d/s/l": "../2.0/x" }],
    ["to another link", { "d/a": "b", "d/b": "2.0/x" }, { "d/a": "b", "d/b": "2.0/x" }],
    ["through another link", { "d/a": "b/x", "d/b": "2.0" }, { "d/a": "b/x", "d/b": "2.0" }],
    ["with .. behind a directory", { "d/l": "s/../2.0" }, { "d/l": "2.0" }],
    ["with a name in UTF-8", { "d/ü": "1.0/x" }, { "d/ü": "1.0/x" }],
  ])("%s is kept, and a second run leaves it", async (_claim, links, local) => {
    const first = await fetched({ ...options, files: release, links });
    const shown = Object.entries(local).map(([path, to]) => [path, ` -> ${to}`]);
    const expected = { ...release, ...Object.fromEntries(shown) };
    expect([first.status, first.files]).toEqual([0, expected]);
    expect(first.stderr).toMatch(new RegExp(`total: 3 files, ${shown.length} links?,`));
    const lines = Object.entries(local).map(([path, to]) => `${path}: now a link to "${to}"`);
    expect(linkLines(first.stderr)).toEqual(lines.toSorted());
    const retrieved = first.server.commands.filter((command) => command.startsWith("RETR"));
    expect(retrieved).toHaveLength(3);
    const before = first.server.commands.length;
    const { cwd, server } = first;
    const second = await ftpull(["-r", "-l", "0", server.url("/d/")], { cwd });
    expect([second.status, localFiles(cwd)]).toEqual([0, expected]);
    expect(second.stderr).toContain(`total: 0 files, 0 B in`);
    expect(linkLines(second.stderr)).toEqual([]);
    expect(second.stderr).toContain(`${3 + shown.length} skipped`);
    expect(server.commands.slice(before).join("\n")).not.toMatch(/^(RETR|SIZE \.\.)/m);
  });

  it.each<[claim: string, links: Record<string, string>, local: Record<string, string>]>([
    ["out of the tree", { "d/l": "../other/y" }, { "d/l": "9" }],
    ["out of the tree, by its path", { "d/l": "/other/y" }, { "d/l": "9" }],
    ["to a directory outside", { "d/s/l": "/other" }, { "d/s/l/y": "9", "d/s/l/in": "9" }],
    [".. behind a link", { "d/k": "2.0", "d/l": "k/../1.0/x" }, { "d/k": " -> 2.0", "d/l": "1" }],
    ["with a \\", { "d/s\\x": "1.0/x", "d/l": "s\\x" }, { "d/s\\x": " -> 1.0/x", "d/l": "1" }],
  ])("%s is followed", async (_claim, links, local) => {
    const [files, all] = [
      { ...release, "other/y": "9" },
      { "other/in": "y", ...links },
    ];
    const { status, files: found } = await fetched({ ...options, files, links: all });
    expect([status, found]).toEqual([0, { ...release, ...local }]);
  });

  it("to what the server doesn't have dangles here, too, with a warning in each run", async () => {
    const links = { "d/gone": "none", "d/far": "s/none/x", "d/self": "self" };
    const { cwd, server, ...first } = await fetched({ ...options, files: release, links });
    const second = await ftpull(["-r", server.url("/d/")], { cwd });
    for (const { status, stderr } of [first, second]) {
      expect(status).toBe(0);
      for (const name of ["gone", "far", "self"])
        expect(stderr).toContain(`warning: ${server.url(`/d/${name}`)}: the link leads nowhere\n`);
    }
    const dangling = { "d/gone": " -> none", "d/far": " -> s/none/x", "d/self": " -> self" };
    expect(localFiles(cwd)).toEqual({ ...release, ...dangling });
  });

  it.each<[claim: string, words: string[], expected: Record<string, string>]>([
    ["-A", ["-A", "l*,x"], { "d/2.0/x": "2", "d/1.0/x": "1", "d/l": " -> 2.0/x", "d/ly": "3" }],
    ["-R of the target", ["-R", "x"], { "d/s/t/y": "3", "d/l": "2", ...toS }],
    ["-R of the link", ["-R", "l,p"], { ...release, "d/ly": " -> s/t/y" }],
    ["-R of the link as a directory", ["-R", "p/,l,ly"], release],
    ["-X", ["-X", "/d/s"], withoutS],
    ["-l", ["-l", "2"], withoutS],
    ["-l 1", ["-l", "1"], { "d/l": "2", "d/ly": "3" }],
    ["an age", ["--newer-than", "2019-01-01"], { ...release, "d/l": " -> 2.0/x", ...toS }],
    ["an age of the target", ["--newer-than", "2021-01-01"], { "d/p": " -> s/t" }],
  ])(
    "is kept by its own name, and followed if its target is left out: %s",
    async (_claim, words, expected) => {
      const links = { "d/l": "2.0/x", "d/ly": "s/t/y", "d/p": "s/t" };
      for (const _run of [1, 2]) {
        const { status, files } = await fetched({ ...options, files: release, links }, words);
        expect([status, files]).toEqual([0, expected]);
      }
    },
  );

  it.each<[claim: string, words: string[], expected: Record<string, string>]>([
    ["-nd", ["-nd"], { x: "1", y: "3", l: "1" }],
    [
      "-x",
      ["-x"],
      {
        "HOST/d/1.0/x": "1",
        "HOST/d/s/y": "3",
        "HOST/d/s/l": " -> ../1.0/x",
        "HOST/d/p": " -> 1.0",
      },
    ],
    [
      "-nH --cut-dirs=1",
      ["-nH", "--cut-dirs=1"],
      { "1.0/x": "1", "s/y": "3", "s/l": " -> ../1.0/x", p: " -> 1.0" },
    ],
    ["-nH --cut-dirs=2", ["-nH", "--cut-dirs=2"], { x: "1", y: "3", l: " -> x", m: " -> y" }],
  ])("leads to where %s puts its target", async (claim, words, expected) => {
    const directory = /nd|=2/.test(claim) ? {} : { "d/p": "1.0" };
    const ofTop = claim.includes("=2") ? { "d/m": "s/y" } : {};
    const links = { "d/s/l": "../1.0/x", ...directory, ...ofTop };
    const files = { "d/1.0/x": "1", "d/s/y": "3" };
    const { status, files: found } = await fetched({ ...options, files, links }, words);
    expect([status, found]).toEqual([0, expected]);
  });

  it("that leads nowhere takes the place of the empty folder that a killed run has left, with -c", async () => {
    const cwd = await folderWith({ "d/": "" });
    const server = await startServer({
      ...options,
      files: { "d/x": "1" },
      links: { "d/l": "gone" },
    });
    leavePart(join(cwd, "d/l"), "", { url: server.url("/d/l") });
    const { status } = await ftpull(["-r", "-c", server.url("/d/")], { cwd });
    expect([status, localTree(cwd)]).toEqual([0, { "d/": "", "d/l": " -> gone", "d/x": "1" }]);
  });

  it("that leads to a directory above the tree is left out, with a note", async () => {
    const files = { "p/d/x": "1", "p/y": "2" };
    const links = { "p/d/up": "../.." };
    const { status, stderr, ...found } = await fetched(
      { ...options, files, links },
      [],
      undefined,
      "/p/d/",
    );
    expect(found.files).toEqual({ "d/x": "1" });
    expect(stderr).toContain("/p/d/up/: left out: it leads back to a directory above the tree\n");
    expect(status).toBe(0);
  });

  it("in a directory that was reached by a link out of the tree is followed", async () => {
    const files = { "d/x": "1", "other/y": "2", "other/s/z": "3" };
    const links = { "d/o": "../other", "other/in": "y", "other/s/up": "../y" };
    const { status, files: found } = await fetched({ ...options, files, links });
    const below = { "d/o/y": "2", "d/o/in": "2", "d/o/s/z": "3", "d/o/s/up": "2" };
    expect([status, found]).toEqual([0, { "d/x": "1", ...below }]);
  });

  it("through a link that leads in a circle dangles with a warning, in each run", async () => {
    const files = { "p/d/x": "1" };
    const links = { "p/d/up": "../..", "p/d/l": "up/p/d/x" };
    const url = "/p/d/";
    const first = await fetched({ ...options, files, links }, [], undefined, url);
    const { cwd, server } = first;
    const second = await ftpull(["-r", "-l", "0", server.url(url)], { cwd });
    const words = `warning: ${server.url("/p/d/l")}: what the link leads to was not fetched\n`;
    for (const { stderr } of [first, second]) expect(stderr).toContain(words);
    expect(localFiles(cwd)).toEqual({ "d/x": "1", "d/l": " -> up/p/d/x" });
  });

  it("through a link that -R leaves out is followed", async () => {
    const links = { "d/a": "b/x", "d/b": "2.0" };
    const { status, files } = await fetched({ ...options, files: release, links }, ["-R", "b"]);
    expect([status, files]).toEqual([0, { ...release, "d/a": "2" }]);
  });

  it.each<[claim: string, words: string[], url: string, expected: Record<string, string>]>([
    ["a pattern", [], "/d/*", { l: "2" }],
    ["with -r", ["-r"], "/d/*", { l: "2", "2.0/x": "2", "p/y": "3", "s/t/y": "3", "1.0/x": "1" }],
    ["a single URL", [], "/d/l", { l: "2" }],
    ["a single URL with -r", ["-r"], "/d/p", { "p/y": "3" }],
  ])("is followed for %s, also by --links without -r", async (_claim, words, url, expected) => {
    const server = await startServer({
      ...options,
      files: release,
      links: { "d/l": "2.0/x", "d/p": "s/t" },
    });
    for (const how of words.length === 0 ? ["keep", "follow", "skip"] : ["keep", "follow"]) {
      const { status, cwd } = await ftpull([...words, "--links", how, server.url(url)]);
      expect([status, localFiles(cwd)]).toEqual([0, expected]);
    }
  });

  it("is left out by --links skip, and counted", async () => {
    const links = { "d/l": "2.0/x", "d/o": "/other", "d/p": "s" };
    const skipped = await fetched({ ...options, files: release, links }, ["--links", "skip"]);
    expect([skipped.status, skipped.files]).toEqual([0, release]);
    expect(skipped.stderr).toMatch(/total: 3 files, .*, 3 links left out\n/);
  });
});

it("a link from the root is followed where no PWD tells where the tree is", async () => {
  const on = { PWD: '257 "/" is the current directory' };
  const links = { "d/l": "/d/1.0/x" };
  const { status, files } = await fetched({ files: release, links, on });
  expect([status, files]).toEqual([0, { ...release, "d/l": "1" }]);
  const root = await fetched({ files: release, links, on }, [], undefined, "/%2Fd/");
  expect([root.status, root.files]).toEqual([0, { ...release, "d/l": " -> 1.0/x" }]);
});

it("a link whose text names another place than it leads to is followed: nothing is missing", async () => {
  // The link's text is a pathname of the machine, of which the server shows a part.
  const files = { "d/1.0/x": "1", "d/l/x": "1" };
  const line = "type=OS.unix=slink:/d/srv/1.0;modify=20200102030405; l\r\n";
  const top = transfer({ content: `type=dir; 1.0\r\n${line}` });
  const found = await fetched({ files, on: { "MLSD#1": top } });
  expect([found.status, found.files]).toEqual([0, files]);
});

describe("T14 links that MLSD shows without their targets, as ProFTPD does", () => {
  const files = { "d/1.0/x": "1" };
  const links = { "d/latest": "1.0", "d/gone": "2.0" };
  const lines = ["dir; 1.0", "OS.unix=symlink;size=3; latest", "OS.unix=symlink; gone"];
  const top = transfer({ content: lines.map((line) => `type=${line}\r\n`) });

  it("have those of LIST -a, which is asked once for such a directory", async () => {
    const given = { files, links, on: { "MLSD#1": top } };
    const { status, files: found, server } = await fetched(given);
    expect([status, found]).toEqual([0, { ...files, "d/latest": " -> 1.0", "d/gone": " -> 2.0" }]);
    expect(server.commands.filter((line) => line.startsWith("LIST"))).toEqual(["LIST -a"]);
  });

  it("are followed where LIST -a is refused", async () => {
    const given = { files, links, on: { "MLSD#1": top, "LIST -a": "550 no" } };
    const { status, files: found, stderr } = await fetched(given);
    expect([status, found]).toEqual([0, { ...files, "d/latest/x": "1" }]);
    expect(stderr).toContain("/d/gone: the link leads nowhere\n");
  });
});

describe("links that MLSD shows as directories", () => {
  const lines = ["latest", "2.0", "up"].map(
    (name) => `type=dir;unique=1g${name === "up" ? 1 : 2}; ${name}\r\n`,
  );
  const given = {
    files: { "p/d/2.0/x": "2", "p/other": "3" },
    links: { "p/d/latest": "2.0", "p/d/up": ".." },
  };

  it("are links where LIST -a shows them, which is asked if two have one unique fact", async () => {
    const on = { "MLSD#1": transfer({ content: lines }) };
    const { status, files, stderr } = await fetched({ ...given, on }, [], undefined, "/p/d/");
    expect(files).toEqual({ "d/2.0/x": "2", "d/latest": " -> 2.0" });
    expect(stderr).toContain("/p/d/up/: left out: it leads back to a directory above the tree\n");
    expect(status).toBe(0);
  });

  it("are asked for again after a failure of LIST -a for now, and nothing else comes from there", async () => {
    const hidden = "type=file;size=1; .hidden\r\n";
    const list = ["2.0", "latest -> 2.0", "other"].map(
      (name) => `${name.includes(">") ? "l" : "d"}rwxr-xr-x 1 a b 1 Jan 1 2020 ${name}\r\n`,
    );
    const top = transfer({ content: [...lines.slice(0, 2), hidden] });
    const on = {
      "MLSD#1": top,
      "MLSD#2": top,
      "LIST#1": "425 no",
      "LIST#2": transfer({ content: list }),
    };
    const files = { ...given.files, "p/d/.hidden": "4" };
    const found = await fetched({ ...given, files, on }, ["-t", "2"], undefined, "/p/d/");
    expect(found.files).toEqual({ "d/2.0/x": "2", "d/latest": " -> 2.0", "d/.hidden": "4" });
    expect(found.status).toBe(0);
  });

  it.each([
    ["refused", "550 no"],
    ["without links", transfer({ content: "drwxr-xr-x 1 a b 1 Jan 1 2020 latest\r\n" })],
  ])("are directories where LIST -a is %s", async (_claim, answer) => {
    const on = { "MLSD#1": transfer({ content: lines.slice(0, 2) }), "LIST -a": answer };
    const { status, files } = await fetched({ ...given, on }, [], undefined, "/p/d/");
    expect([status, files]).toEqual([0, { "d/2.0/x": "2", "d/latest/x": "2" }]);
  });

  it("are not asked for where each directory has a unique fact of its own", async () => {
    const on = { "MLSD#1": transfer({ content: lines.slice(1) }) };
    const { server } = await fetched({ ...given, on }, [], undefined, "/p/d/");
    expect(server.commands.filter((line) => line.startsWith("LIST"))).toEqual([]);
  });
});

it("a link to a name that is spelled otherwise here leads to that", async () => {
  const files = { "d/a\tb": "1", "d/\xfc": "2" };
  const links = { "d/l": "a\tb", "d/m": "\xfc" };
  const all = { files, links, nameEncoding: "latin1" as const };
  const { status, files: found } = await fetched(all, ["--remote-encoding", "latin1"]);
  const here = { "d/a%09b": "1", "d/ü": "2" };
  expect([status, found]).toEqual([0, { ...here, "d/l": " -> a%09b", "d/m": " -> ü" }]);
});

it("a link never leads to another file that has its target's local name", async () => {
  const files = { "d/a%09b": "other", "d/a\tb": "mine" };
  const links = { "d/l": "a\tb", "d/m": "a%09b" };
  const { status, files: found } = await fetched({ files, links });
  const here = { "d/a%09b": "mine", "d/l": " -> a%09b", "d/m": " -> a%09b" };
  expect([status, found]).toEqual([3, here]);
});

describe("what is here already", () => {
  const links = { "d/l": "1.0" };
  const files = { "d/1.0/x": "1" };
  const before = async (make: (at: string) => void): Promise<string> => {
    const cwd = await folderWith({ "d/old/x": "mine" });
    make(join(cwd, "d/l"));
    return cwd;
  };

  it("a link of another target is replaced, also one that leads out", async () => {
    for (const target of ["old", "none", "/", "l"]) {
      const cwd = await before((at) => symlinkSync(target, at));
      const { status, files: found } = await fetched({ files, links }, [], cwd);
      expect([status, found]).toEqual([0, { ...files, "d/l": " -> 1.0", "d/old/x": "mine" }]);
    }
  });

  it("a file is kept and a failure that names -f, which replaces it", async () => {
    const cwd = await before((at) => writeFileSync(at, "mine"));
    const { status, stderr } = await fetched({ files, links }, [], cwd);
    expect(stderr).toContain(
      '/d/l: cannot write "d/l": a file is in the place of a link\nhint: move it away, and the next run makes the link;',
    );
    expect([status, readFileSync(join(cwd, "d/l"), "utf8")]).toEqual([3, "mine"]);
    const kept = await fetched({ files, links }, ["--no-clobber"], cwd);
    expect([kept.status, kept.files["d/l"]]).toEqual([0, "mine"]);
    const forced = await fetched({ files, links }, ["-f"], cwd);
    expect([forced.status, forced.files["d/l"]]).toEqual([0, " -> 1.0"]);
  });

  it("a directory is kept and a failure, with -f, too", async () => {
    const cwd = await before((at) => {
      mkdirSync(at);
      writeFileSync(join(at, "x"), "mine");
    });
    for (const words of [[], ["-f"]]) {
      const { status, stderr, files: found } = await fetched({ files, links }, words, cwd);
      expect(stderr).toContain('/d/l: cannot write "d/l": a directory is in the place of a link\n');
      expect(stderr).toMatch(/^hint: move it away, and the next run makes the link/m);
      expect([status, found["d/l/x"]]).toEqual([3, "mine"]);
    }
  });

  it.each([
    ["a file", { "d/l": "new" }, { "d/l": "new" }],
    ["a directory", { "d/l/x": "new" }, { "d/l/x": "new" }],
    ["a file as it was where the link led", { "d/l": "mine" }, { "d/l": "mine" }],
  ])("where the server now has %s, a link is not written through", async (_claim, now, here) => {
    for (const words of [[], ["-f"], ["-c"], ["-A", "l,x"], ["-j", "3"], ["--links", "follow"]])
      for (const target of ["old", "old/x", "none", "l"]) {
        const cwd = await before((at) => symlinkSync(target, at));
        const { status, files: found } = await fetched({ files: now }, words, cwd);
        expect([status, found]).toEqual([0, { ...here, "d/old/x": "mine" }]);
      }
  });

  it("--links follow after a run that kept them brings content in their places", async () => {
    const both = { "d/l": "1.0", "d/f": "1.0/x" };
    const { cwd } = await fetched({ files, links: both });
    const now = await fetched({ files, links: both }, ["--links", "follow"], cwd);
    expect([now.status, now.files]).toEqual([0, { ...files, "d/l/x": "1", "d/f": "1" }]);
  });

  it("a link of the tree is no way to its top", async () => {
    const { cwd, server } = await fetched({ files, links }, ["-nH"]);
    const { status, stderr } = await ftpull(["-r", "-nH", server.url("/d/l/")], { cwd });
    expect(stderr).toContain('cannot write "d/l": "d/l" is a symbolic link\n');
    expect([status, localFiles(cwd)]).toEqual([3, { ...files, "d/l": " -> 1.0" }]);
  });

  it("a local link on the way leads no link out of the tree", async () => {
    const outside = await temporaryDirectory();
    const cwd = await before((at) => symlinkSync(outside, join(at, "../s")));
    const served = { files: { "d/s/x": "1" }, links: { "d/l": "s/x" } };
    const { status } = await fetched(served, [], cwd);
    expect([status, existsSync(join(cwd, "d/l")), localTree(outside)]).toEqual([3, false, {}]);
  });

  it("a link that was being made by a process that is gone is removed", async () => {
    const machine = basename(temporaryPath("/nonexistent/x")).slice(0, ".ftpull-0000".length);
    const process = spawnSync("true").pid.toString(16).padStart(6, "0");
    const left = `${machine}${process}abcdef`;
    const cwd = await before((at) => symlinkSync("1.0", join(at, "..", left)));
    const { status, files: found } = await fetched({ files, links }, [], cwd);
    expect([status, found]).toEqual([0, { ...files, "d/l": " -> 1.0", "d/old/x": "mine" }]);
  });
});

it.each(["EPERM", "ENOTSUP"])(
  "where the file system has no links (%s), they are followed, with one note",
  async (code) => {
    const cwd = await temporaryDirectory();
    const hook = join(cwd, "hook.cjs");
    const fails = `Object.assign(new Error("${code}"), { code: "${code}", errno: -1, syscall: "symlink" })`;
    writeFileSync(
      hook,
      `require("node:fs").symlinkSync = () => { throw ${fails}; };
require("node:module").syncBuiltinESMExports();`,
    );
    const links = { "d/a": "2.0", "d/l": "2.0/x", "d/n": "none" };
    const server = await startServer({ files: release, links });
    const env = { NODE_OPTIONS: `--require=${hook}` };
    const words = ["-r", "-P", "here", server.url("/d/")];
    for (const _run of [1, 2]) {
      const { status, stderr } = await runAsProcess(words, { cwd, env });
      expect(stderr.match(/cannot make the link/g)).toHaveLength(1);
      expect(stderr).toContain("the link leads nowhere");
      expect([status, localFiles(join(cwd, "here"))]).toEqual([
        0,
        { ...release, "d/a/x": "2", "d/l": "2" },
      ]);
    }
  },
);

it("an unchanged link whose target no listing shows costs no command", async () => {
  const { cwd, server } = await fetched({ files: release, links: { "d/l": "2.0/x" } });
  expect(server.sent("SIZE")).toEqual(["SIZE 2.0/x"]);
  const before = server.commands.length;
  await ftpull(["-r", server.url("/d/")], { cwd });
  expect(server.commands.slice(before).join("\n")).not.toMatch(/^(?:SIZE|MDTM|RETR)/m);
});

describe("no link leads out of the top", () => {
  it("also where the local directory of the link is elsewhere than on the server", async () => {
    const cwd = await folderWith({ "d/a/b/": "" });
    // A file's directory that is a link leading inside is replaced; the top's own is refused.
    symlinkSync(join(cwd, "d"), join(cwd, "d/a/b/c"));
    const files = { "d/a/b/c/x": "1", "d/y": "2" };
    const links = { "d/a/b/c/l": "../../../y" };
    const { status, files: found } = await fetched({ files, links }, [], cwd);
    expect([status, found]).toEqual([0, { ...files, "d/a/b/c/l": " -> ../../../y" }]);
  });

  it("by way of one that led inside when it was made", async () => {
    // First b is a directory with a link upwards; then b is a link, and ".." behind it leads elsewhere.
    const files = { "d/b/x": "1", "d/s/t/y": "2", secret: "3" };
    const first = await fetched({ files, links: { "d/a": "b/../b/x" } });
    expect(first.files["d/a"]).toBe(" -> b/x");
    const { cwd } = first;
    rmSync(join(cwd, "d/b"), { recursive: true });
    const links = { "d/b": "s/t", "d/a": "b/../../../secret" };
    const second = await fetched({ files: { "d/s/t/y": "2", secret: "3" }, links }, [], cwd);
    expect(second.files).toEqual({ "d/s/t/y": "2", "d/b": " -> s/t", "d/a": "3" });
    expect(second.status).toBe(0);
  });
});

it("a link that changes its target between two runs is replaced, a second run at once does no harm", async () => {
  const { cwd } = await fetched({ files: release, links: { "d/l": "1.0" } });
  const server = await startServer({ files: release, links: { "d/l": "2.0", "d/m": "l/x" } });
  const words = ["-r", server.url("/d/")];
  const both = await Promise.all([ftpull(words, { cwd }), ftpull(words, { cwd })]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(localFiles(cwd)).toEqual({ ...release, "d/l": " -> 2.0", "d/m": " -> l/x" });
});

it("a link in the place of another name's link fails where the system takes both for one", async () => {
  const links = { "d/a\tb": "x", "d/a%09b": "y" };
  const { status, stderr, files } = await fetched({ files: { "d/x": "1", "d/y": "2" }, links });
  expect(stderr).toContain("has the same local name");
  expect([status, files]).toEqual([3, { "d/x": "1", "d/y": "2", "d/a%09b": " -> x" }]);
});

it.each([
  ["that was made", [], { status: "done", octets: 0, file: "d/l" }],
  ["that was left", [], { status: "skipped", reason: "unchanged", file: "d/l" }],
  ["that is left out", ["--links", "skip"], { status: "skipped", reason: "link", file: null }],
])("--json has an object for a link %s", async (claim, words, expected) => {
  const served = { files: { "d/x": "1" }, links: { "d/l": "x" } };
  const first = claim === "that was left" ? await fetched(served) : undefined;
  const { stdout, server } = await fetched(served, ["--json", ...words], first?.cwd);
  const line = stdout.split("\n").find((each) => each.includes('/d/l"')) ?? "";
  expect(JSON.parse(line)).toMatchObject({ url: server.url("/d/l"), exit: 0, ...expected });
});
