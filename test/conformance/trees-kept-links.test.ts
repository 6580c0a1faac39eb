/** Links that lead into their tree are links here, too; of others, files are fetched, and directories left out. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { fetchTree, ftpull } from "./support/client.ts";

const servers: [command: string, options: ServerOptions][] = [
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE", "MDTM"] }],
];

/** Fetches /d/ of such a server, in `cwd` if it is given. */
function fetched(options: ServerOptions, words: string[] = [], cwd?: string) {
  const settings = cwd === undefined ? {} : { cwd };
  return fetchTree({ realPwd: true, ...options }, words, settings);
}

const release = { "d/2.0/x": "2", "d/1.0/x": "1", "d/s/t/y": "3" };

describe.each(servers)("T14 over %s, a link", (_command, options) => {
  const files = { ...release, "other/y": "9" };

  it.each<[claim: string, links: Record<string, string>]>([
    ["to a file", { "d/l": "2.0/x" }],
    ["upwards", { "d/s/t/l": "../../2.0" }],
    ["to the tree's top", { "d/s/up": ".." }],
    ["to another link", { "d/a": "b", "d/b": "2.0/x" }],
    ["with a name in UTF-8", { "d/ü": "1.0/x" }],
  ])("%s is made, and left in a second run: the server is asked nothing", async (_claim, links) => {
    const { status, files: found, cwd, server } = await fetched({ ...options, files, links });
    const made = Object.entries(links).map(([path, target]) => [path, ` -> ${target}`]);
    expect([status, found]).toEqual([0, { ...release, ...(Object.fromEntries(made) as object) }]);
    const names = Object.keys(links).map((path) => path.slice(path.lastIndexOf("/") + 1));
    const about = names.filter((name) => server.commands.join("\n").includes(` ${name}\n`));
    expect(about).toEqual([]);
    const again = await ftpull(["-r", server.url("/d/")], { cwd });
    expect([again.status, localFiles(cwd)]).toEqual([0, found]);
  });

  it.each<[claim: string, target: string]>([
    ["out of the tree", "../other/y"],
    ["by its path", "/other/y"],
    ["out of the top and back", "../d/../other/y"],
  ])("to a file %s is a copy", async (_claim, target) => {
    const found = await fetched({ ...options, files, links: { "d/l": target } });
    expect([found.status, found.files]).toEqual([0, { ...release, "d/l": "9" }]);
  });

  it.each(["../other", "nowhere/../../x"])(
    "to %s, no file in the tree, is left out with a note",
    async (target) => {
      const found = await fetched({ ...options, files, links: { "d/l": target } });
      expect([found.status, found.files]).toEqual([0, release]);
      const url = found.server.url("/d/l");
      expect(found.stderr).toContain(`${url}: left out: the link leads to no file that SIZE shows`);
      expect(found.server.commands).not.toContain("CWD l");
    },
  );

  it("to a directory outside for which the server has a size is left out, too", async () => {
    const on = { "SIZE l": "213 4096", "RETR l": "550 not a plain file" };
    const found = await fetched({ ...options, files, links: { "d/l": "/other" }, on });
    expect([found.status, found.files]).toEqual([0, release]);
    expect(found.stderr).toContain("/d/l: left out: the link leads to no file");
  });

  it("to what the server doesn't have dangles here, too, with a warning in each run", async () => {
    const given = { ...options, files, links: { "d/l": "none" } };
    const { server, cwd, ...first } = await fetched(given);
    const second = await ftpull(["-r", server.url("/d/")], { cwd });
    for (const { status, stderr } of [first, second]) {
      expect(stderr).toContain(`${server.url("/d/l")}: nothing is here where the link leads to`);
      expect(status).toBe(0);
    }
    expect(localFiles(cwd)).toMatchObject({ "d/l": " -> none" });
  });

  it.each<[words: string[], expected: Record<string, string>]>([
    [["-A", "l*,x"], { "d/2.0/x": "2", "d/1.0/x": "1", "d/l": " -> 2.0/x", "d/ly": "3" }],
    [["-R", "x"], { "d/s/t/y": "3", "d/l": "2", "d/ly": " -> s/t/y", "d/p": " -> s/t" }],
    [["-X", "s"], { "d/2.0/x": "2", "d/1.0/x": "1", "d/l": " -> 2.0/x", "d/ly": "3" }],
    [["-l", "2"], { "d/2.0/x": "2", "d/1.0/x": "1", "d/l": "2", "d/ly": "3" }],
    [["--newer-than", "2019-01-01"], { ...release, "d/l": "2", "d/ly": "3" }],
    [["--links", "skip"], release],
  ])("to what %j leaves out is no local link; a file is fetched", async (words, expected) => {
    const links = { "d/l": "2.0/x", "d/ly": "s/t/y", "d/p": "s/t" };
    const found = await fetched({ ...options, files: release, links }, words);
    expect([found.status, found.files]).toEqual([0, expected]);
  });

  it.each([[[]], [["-nd"]]])(
    "T24 -A '*.deb' doesn't enter stable -> bookworm: %j",
    async (more) => {
      const debian = { "d/bookworm/a.deb": "1", "d/bookworm/Release": "2" };
      const given = { ...options, files: debian, links: { "d/stable": "bookworm" } };
      const found = await fetched(given, ["-A", "*.deb", ...more]);
      expect([found.status, Object.values(found.files)]).toEqual([0, ["1"]]);
      expect(found.server.commands).not.toContain("CWD stable");
    },
  );

  it.each<[words: string[], expected: Record<string, string>]>([
    [["-nH", "--cut-dirs=1"], { "1.0/x": "1", "s/t/y": "3", l: " -> 1.0/x", "s/m": " -> t/y" }],
    [["-nd"], { x: "1", y: "3", l: "1", m: "3" }],
    [["-nH", "--cut-dirs=2"], { x: "1", "t/y": "3", l: "1", m: "3" }],
  ])("has its place in a tree of another shape: %j", async (words, expected) => {
    const links = { "d/l": "1.0/x", "d/s/m": "t/y" };
    const files = { "d/1.0/x": "1", "d/s/t/y": "3" };
    const found = await fetched({ ...options, files, links }, words);
    expect([found.status, found.files]).toEqual([0, expected]);
  });
});

describe("T14 links that MLSD shows without their targets, as ProFTPD does", () => {
  const content = ["type=OS.unix=symlink; l\r\n", "type=file;size=1;modify=20200102030405; x\r\n"];
  const server = { files: { "d/x": "1" }, links: { "d/l": "x" } };

  it.each<[claim: string, on: ServerOptions["on"], asked: string[]]>([
    ["which is asked once for such a directory", {}, ["LIST -a"]],
    ["also where that fails for now", { "LIST#1": "450 busy" }, ["LIST -a", "LIST -a"]],
  ])("have those of LIST -a, %s", async (_claim, on, asked) => {
    const given = { ...server, on: { MLSD: transfer({ content }), ...on } };
    const found = await fetchTree(given, [], { tries: 2 });
    expect([found.status, found.files]).toEqual([0, { "d/x": "1", "d/l": " -> x" }]);
    expect(found.server.sent("LIST")).toEqual(asked);
  });

  it("are left out where they lead to a directory that has its own place", async () => {
    const content = ["type=OS.unix=symlink; l\r\n", "type=dir; s\r\n"];
    const given = { files: { "d/s/y": "1" }, links: { "d/l": "s" } };
    const found = await fetched({ ...given, on: { "MLSD#1": transfer({ content }) } }, [
      "-nd",
      "-A",
      "y",
    ]);
    expect([found.status, found.files]).toEqual([0, { y: "1" }]);
    expect(found.server.commands).not.toContain("CWD l");
  });

  it("are fetched where LIST -a is refused", async () => {
    const on = { MLSD: transfer({ content }), LIST: "550 no" };
    const { status, files } = await fetched({ ...server, on });
    expect([status, files]).toEqual([0, { "d/x": "1", "d/l": "1" }]);
  });
});

describe("what is here already", () => {
  const server = { files: { "d/x": "1" }, links: { "d/l": "x" } };
  const made = { "d/x": "1", "d/l": " -> x" };

  it("a link of another target is replaced, also one that leads out", async () => {
    for (const target of ["y", "../../outside"]) {
      const cwd = await folderWith({ "d/": "", outside: "mine" });
      symlinkSync(target, join(cwd, "d/l"));
      const { status, files } = await fetched(server, [], cwd);
      expect([status, files]).toEqual([0, { ...made, outside: "mine" }]);
    }
  });

  it.each<[claim: string, words: string[], link: string]>([
    ["a file in a link's place is replaced", [], " -> x"],
    ["-nc keeps it", ["-nc"], "mine"],
  ])("%s", async (_claim, words, link) => {
    const cwd = await folderWith({ "d/l": "mine" });
    const { status, files } = await fetched(server, words, cwd);
    expect([status, files]).toEqual([0, { ...made, "d/l": link }]);
  });

  it("a directory is kept also with -f: a failure", async () => {
    const cwd = await folderWith({ "d/l/mine": "1" });
    const { status, stderr, files } = await fetched(server, ["-f"], cwd);
    const words = 'cannot write "d/l": a directory is in the place of a link\n';
    expect(stderr).toContain(words);
    expect([status, files]).toEqual([3, { "d/x": "1", "d/l/mine": "1" }]);
  });

  it.each([
    ["a file", { "d/l": "new" }],
    ["a directory", { "d/l/x": "new" }],
  ])(
    "a local link gives way to %s of the server's, and is never written through",
    async (_claim, files) => {
      const cwd = await folderWith({ "d/was/x": "was" });
      symlinkSync("was", join(cwd, "d/l"));
      const found = await fetched({ files }, [], cwd);
      expect([found.status, found.files]).toEqual([0, { "d/was/x": "was", ...files }]);
    },
  );

  it("--links follow after a run that kept them brings content in their places", async () => {
    const all = { files: { "d/x": "1", "d/s/y": "2" }, links: { "d/l": "x", "d/m": "s" } };
    const { cwd } = await fetched(all);
    const { status, files } = await fetched(all, ["--links", "follow"], cwd);
    const content = { "d/x": "1", "d/l": "1", "d/s/y": "2", "d/m/y": "2" };
    expect([status, files]).toEqual([0, content]);
  });
});

it("where the file system has no links each is a failure, and the others arrive", async () => {
  const refusing = `import fs from "node:fs"; fs.symlinkSync = () => { throw Object.assign(new Error("no"), { code: "EPERM" }); };`;
  const hook = `data:text/javascript,${encodeURIComponent(refusing)}`;
  const env = { NODE_OPTIONS: `--import=${hook}` };
  const given = { files: { "d/x": "1" }, links: { "d/l": "x" } };
  const { status, stderr, files } = await fetchTree(given, [], { env });
  expect(stderr).toContain('/d/l: cannot write "d/l": ');
  expect([status, files]).toEqual([3, { "d/x": "1" }]);
});

it.each([
  ["made", [], { status: "done", bytes: 0, file: "d/l" }],
  ["left out", ["--links", "skip"], { status: "skipped", reason: null, file: null }],
])("--json has a link that is %s", async (_claim, words, expected) => {
  const given = { files: { "d/x": "1" }, links: { "d/l": "x" } };
  const { stdout } = await fetchTree(given, ["--json", ...words]);
  const line = /^.*"url":"[^"]*\/l".*$/m.exec(stdout)?.[0] ?? "";
  expect(JSON.parse(line)).toMatchObject(expected);
});
