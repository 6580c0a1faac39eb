/** Links that are followed, as --links follow does: what they lead to is fetched, and no circle goes on for ever. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { localFiles } from "../support/local-tree.ts";
import type { Action, Exchange } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { resolvePathname } from "../support/tree.ts";
import { fetchFrom, ftpull } from "./support/client.ts";

const follow = ["-r", "--links", "follow"];

const servers: [command: string, options: ServerOptions][] = [
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE"] }],
];

/** Fetches /d/ of such servers. */
function treeOf(options: ServerOptions) {
  return async (more: ServerOptions, words: string[] = [], typecode = "") => {
    const server = await startServer({ ...options, ...more });
    const result = await ftpull([...follow, ...words, server.url(`/d/${typecode}`)]);
    return { ...result, server, files: localFiles(result.cwd) };
  };
}

/** Way to /d/ from a link in it that its text doesn't show: "other" may be a link. */
const back = "../other/../d";

const tooDeep = "it is more than 100 levels deep: a link may lead in a circle";

function listings(commands: readonly string[]): number {
  return commands.filter((command) => /^(?:MLSD|LIST)/.test(command)).length;
}

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
      const [files, links] = [{ "d/x": "1", "other/y": "2" }, { "d/o": "../other" }];
      const { cwd, server, ...first } = await tree({ files, links, realPwd }, ["-c", "-q"]);
      const second = await ftpull([...follow, "-c", "-q", server.url("/d/")], { cwd });
      for (const result of [first, second]) expect(result).toMatchObject({ status: 0, stderr: "" });
      expect([first.files, localFiles(cwd)]).toEqual(Array(2).fill({ "d/x": "1", "d/o/y": "2" }));
    },
  );

  it.each([
    ["-A, of a file", ["-A", "x"], { "d/x": "1", "d/o/x": "2" }],
    ["-R, of a directory", ["-R", "o/"], { "d/x": "1", "d/f": "1", "d/o.y": "1" }],
    ["-R, of a file", ["-R", "f,o.y"], { "d/x": "1", "d/o/x": "2" }],
  ])("T24 a link that is left out is no failure: %s", async (_claim, words, expected) => {
    const links = { "d/f": "x", "d/o": "../other", "d/o.y": "x" };
    const files = { "d/x": "1", "other/x": "2" };
    for (const typecode of ["", ";type=a"]) {
      const found = await tree({ files, links }, words, typecode);
      expect([found.status, found.files]).toEqual([0, expected]);
    }
  });

  it.each([[], ["-c"]])("T13 a dangling link is a warning alone: %s", async (...words) => {
    const gone = { "d/gone": "nowhere" };
    const found = await tree({ files: { "d/x": "1" }, links: gone }, words);
    expect(found.stderr).toContain(
      `warning: ${found.server.url("/d/gone")}: the link leads nowhere`,
    );
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

  it.each(["550 Permission denied", "550 l: access denied, or not found", "553 no", "530 no"])(
    "T13 a link to a directory that CWD answers %s is a failure",
    async (reply) => {
      const links = { "d/l": "../other" };
      const on = { "CWD l": reply };
      const { status, stderr, files } = await tree({
        files: { "d/x": "1", "other/y": "2" },
        links,
        on,
      });
      expect(stderr).toContain(
        `/d/l: cannot enter the directory "l": server replied ${reply.slice(0, 3)} "${reply.slice(4)}"`,
      );
      expect([status, files]).toEqual([8, { "d/x": "1" }]);
    },
  );

  it.each([
    ["550 l: No such file or directory"],
    ["550 File not found"],
    ["550 The system cannot find the path specified."],
    ["550 Failed to open file.", "550 Failed to change directory."],
  ])("T13 a link that is answered %s leads nowhere", async (retr, cwd = retr) => {
    const on = { "RETR l": retr, "CWD l": cwd };
    const found = await tree({ files: { "d/x": "1" }, links: { "d/l": "nowhere" }, on });
    expect(found.stderr).toContain("/d/l: the link leads nowhere");
    expect([found.status, found.files]).toEqual([0, { "d/x": "1" }]);
  });
});

describe.each(servers)("over %s, where PWD shows links,", (_command, options) => {
  const tree = treeOf({ ...options, realPwd: true });

  it.each([
    ["to its own directory", { "d/l": "." }],
    ["to the directory above", { "d/s/l": ".." }],
    ["to the directory above the tree", { "d/s/l": "../.." }],
    ["at the top to the directory above the tree", { "d/l": ".." }],
    ["in a circle of two", { "d/l": "/e", "e/m": "/d" }],
    ["of two in a circle", { "d/a": ".", "d/b": ".", "d/s/a": "..", "d/s/b": "../s" }],
  ])("T12 T15 a link %s is not followed, also with -l 0", async (_claim, links) => {
    const found = await tree({ files: { "d/x": "1", "d/s/y": "2" }, links }, ["-l", "0"]);
    expect(found.files).toEqual({ "d/x": "1", "d/s/y": "2" });
    expect(listings(found.server.commands)).toBeLessThan(12);
    expect(found.stderr).toMatch(/: left out: it leads back to \S.*\n/);
    expect(found.status).toBe(0);
  });
});

it.each([
  ["T11 one that climbs and descends is followed: it may lead elsewhere", "../../pub", 1],
  ["T12 one that only climbs leads to what is around the tree", "..", 0],
])("a tree whose top is a link: %s", async (_claim, target, count) => {
  const files = { "a/b/v5/f": "1", "a/pub/other": "2", "pub/z": "3" };
  const links = { "pub/latest": "../a/b/v5", "a/b/v5/x": target };
  const server = await startServer({ files, links });
  const { status, cwd } = await ftpull([...follow, server.url("/pub/latest/")]);
  const found = Object.keys(localFiles(cwd)).filter((path) => path.startsWith("latest/x/"));
  expect([status, found]).toEqual([0, ["latest/x/other"].slice(0, count)]);
});

describe.each(servers)("over %s, a directory that has several names", (_command, options) => {
  const tree = treeOf({ ...options, realPwd: true });
  const deep = { "d/a/b/c/x": "1", "d/a/b/c/s/t/y": "2" };
  const all = { ...deep, "d/z/x": "1", "d/z/s/t/y": "2" };
  const { "d/a/b/c/s/t/y": _deepest, ...cut } = all;

  it.each<[claim: string, words: string[], files: Record<string, string>]>([
    ["whatever was fetched before", [], all],
    ["also what -l has cut off elsewhere", ["-l", "5"], cut],
    ["also what -X leaves out elsewhere", ["-X", "/d/a/b/c/s"], cut],
    ["also what -R leaves out by its path elsewhere", ["-R", "a/b/c/s/"], cut],
    ["over several connections, too", ["-j", "4"], all],
  ])("T12 is fetched in full by each, %s", async (_claim, words, files) => {
    const links = { "d/z": "a/b/c" };
    const limit = words.includes("-l") ? [] : ["-l", "0"];
    const found = await tree({ files: deep, links }, [...limit, ...words]);
    expect([found.status, found.files]).toEqual([0, files]);
  });
});

describe("PWD that always says the same", () => {
  const files = { "d/x": "1", "d/s/z": "3", "other/y": "2" };

  it.each([
    ["of a directory", "/d/", { "d/l": "../other", "d/s/m": "../../other" }, ["d"]],
    ["of the login directory", "/", { l: "other", "d/m": "../other" }, ["HOST"]],
    ["of a directory with a circle", "/d/", { "d/l": "../other", "d/c": back }, ["d"]],
  ])("T12 T15 every link %s is entered", async (claim, path, links, [top = ""]) => {
    for (const features of [undefined, ["UTF8", "SIZE"]]) {
      const on = { PWD: '257 "/" is the current directory' };
      const server = await startServer({ files, links, on, ...(features && { features }) });
      const { status, stderr, cwd } = await ftpull([...follow, server.url(path)]);
      const found = Object.keys(localFiles(cwd));
      const at = top === "HOST" ? `127.0.0.1:${server.port}` : "";
      for (const link of Object.keys(links).filter((each) => each !== "d/c"))
        expect(found).toContain(join(at, link, "y"));
      expect(found).toContain(join(at, "d/x"));
      const circles = stderr.match(/[^/]*\/: left out: it leads back/g);
      expect(circles).toEqual(claim.includes("circle") ? ["c/: left out: it leads back"] : null);
      expect(status).toBe(0);
    }
  });

  it.each(servers)("T12 a link to the login directory is known: %s", async (_command, options) => {
    const links = { pub: ".", "s/top": "/" };
    const all = { files: { x: "1", "s/y": "2" }, links, realPwd: true };
    const { server, status, stderr, cwd } = await fetchFrom({ ...options, ...all }, "/", follow);
    expect(stderr).toContain(
      `${server.url("/pub/")}: left out: it leads back to ${server.url("/")}\n`,
    );
    const host = `127.0.0.1:${server.port}`;
    expect([status, localFiles(cwd)]).toEqual([0, { [`${host}/x`]: "1", [`${host}/s/y`]: "2" }]);
  });
});

it("T15 where a system follows 40 links and PWD doesn't show them, two that MLSD shows as directories don't multiply", async () => {
  const server = await startServer({ files: { "d/x": "1" }, links: { "d/a": ".", "d/b": "." } });
  const content = ["type=dir; a\r\n", "type=dir; b\r\n"];
  server.on("MLSD", (exchange: Exchange) =>
    listings(server.commands) < 500 // where they do
      ? transfer({ content })(exchange)
      : exchange.session.control.reset(),
  );
  server.on("CWD", (exchange) => {
    const { argument, session } = exchange;
    const links = resolvePathname(session.workingDirectory, argument).split("/").length - 2;
    if (links <= 40) return exchange.proceed();
    return session.reply("550 Too many levels of symbolic links");
  });
  const { status, stderr } = await ftpull([...follow, "-l", "0", server.url("/d/")]);
  expect(stderr).toContain("Too many levels of symbolic links");
  expect(listings(server.commands)).toBeLessThan(250);
  expect(status).toBe(7);
});

describe("where PWD doesn't show links", () => {
  const directories = "type=dir; a\r\ntype=dir; b\r\ntype=file;size=1; x\r\n";

  it("T15 two that MLSD shows as directories, which don't multiply, end at 100 levels as a failure", async () => {
    const links = { "d/a": ".", "d/b": "." };
    const on = { MLSD: transfer({ content: directories }) };
    const server = await startServer({ files: { "d/x": "1" }, links, on });
    const { status, stderr } = await ftpull([...follow, "-l", "0", server.url("/d/")]);
    expect(status).toBe(7);
    expect(stderr).toContain(tooDeep);
    expect(listings(server.commands)).toBeLessThan(250);
  });

  it.each(servers)("T15 two links end when a listing comes back: %s", async (command, options) => {
    const links = { "d/a": back, "d/b": back, "d/out": "../other" };
    const files = { "d/x": "1", "other/y": "22" };
    const server = await startServer({ ...options, files, links });
    const { status, stderr, cwd } = await ftpull([...follow, "-l", "0", server.url("/d/")]);
    expect(stderr).toContain(
      `${server.url("/d/a/b/")}: left out: it leads back to ${server.url("/d/a/")}`,
    );
    expect(Object.keys(localFiles(cwd)).sort()).toEqual(
      ["", "a/", "b/"].flatMap((link) => [`d/${link}out/y`, `d/${link}x`]).sort(),
    );
    // LIST and LIST -a are compared once.
    expect(listings(server.commands)).toBe(command === "LIST" ? 11 : 10);
    expect(status).toBe(0);
  });

  it.each(servers)("T12 a link's text shows that it leads back: %s", async (_command, options) => {
    const links = {
      "d/a": ".",
      "d/s/b": "..",
      "d/s/c": "../s/t/../..",
      "d/up": "..",
      "d/s/z": "/",
    };
    const files = { "d/x": "1", "d/s/t/y": "2", other: "3" };
    const server = await startServer({ ...options, files, links });
    const { status, stderr, cwd } = await ftpull([...follow, "-l", "0", server.url("/d/")]);
    const back = ["a", "b", "c"].map(
      (link) => `${link}/: left out: it leads back to ${server.url("/d/")}`,
    );
    const up = ["up", "z"].map(
      (link) => `${link}/: left out: it leads back to a directory above the tree`,
    );
    expect(stderr.match(/\w+\/: left out: .*/g)?.sort()).toEqual([...back, ...up]);
    expect([status, Object.keys(localFiles(cwd))]).toEqual([0, ["d/s/t/y", "d/x"]]);
  });

  it.each<[claim: string, third: (content: string[]) => Record<string, Action>]>([
    ["", () => ({})],
    [
      ", of which no entry is fetched where the try before ended with 426",
      (content) => ({ "MLSD#3": transfer({ content, completion: "426 cut" }) }),
    ],
  ])(
    "T15 directories of one unique fact and equal entries are a circle%s",
    async (_claim, third) => {
      const inside = [
        "type=dir;unique=1; up\r\n",
        "type=file;size=1; x\r\n",
        "type=dir;unique=2; t\r\n",
      ];
      const on = { MLSD: transfer({ content: inside }), ...third(inside) };
      const links = { "d/up": ".", "d/t": "." };
      const server = await startServer({ files: { "d/x": "1" }, links, on });
      const { status, stderr, cwd } = await ftpull(["-m", server.url("/d/")], { tries: 2 });
      const files = ["d/t/up/x", "d/t/x", "d/up/t/x", "d/up/x", "d/x"];
      expect([status, Object.keys(localFiles(cwd))]).toEqual([0, files]);
      expect(stderr).toContain(
        `${server.url("/d/up/up/")}: left out: it leads back to ${server.url("/d/up/")}\n`,
      );
    },
  );

  /** Listings of the top and of the directories below it, one after the other. */
  const inTurn = (...listings: string[][]): Record<string, Action> =>
    Object.fromEntries(
      listings.map((content, index) => [`MLSD#${index + 1}`, transfer({ content })]),
    );
  const below = (...counts: number[]): Record<string, string> =>
    Object.fromEntries(counts.map((count) => [`d/${"a/".repeat(count)}x`, "1"]));
  const directory = "type=dir;unique=0; a\r\n";
  const link = "type=OS.unix=symlink;modify=20200102030405; a\r\n";
  const file = (second: number): string =>
    `type=file;size=1;unique=0;modify=2020010203040${second}; x\r\n`;
  const plain = ["type=dir; a\r\n", file(0)];

  it.each<[claim: string, files: Record<string, string>, on: Record<string, Action>]>([
    [
      "directories of one unique fact with other entries",
      below(0, 1, 2, 3),
      inTurn([directory, file(3)], [directory, file(2)], [directory, file(1)], [file(0)]),
    ],
    [
      "links to equal directories with other times",
      below(0, 1, 2, 3),
      inTurn([link, file(3)], [link, file(2)], [link, file(1)], [file(0)]),
    ],
    [
      "six equal directories inside each other",
      below(0, 1, 2, 3, 4, 5),
      inTurn(plain, plain, plain, plain, plain, [file(0)]),
    ],
    ["nested directories of one name", below(50), {}],
  ])("T15 %s are no circle", async (_claim, files, on) => {
    const { status, cwd } = await fetchFrom({ files, on }, "/d/", [...follow, "-l", "0"]);
    expect([status, localFiles(cwd)]).toEqual([0, files]);
  });
});
