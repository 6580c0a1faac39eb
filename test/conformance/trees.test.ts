/** -r: what is asked of the server, in which order, and where it is saved. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Gate, proceed, until } from "../support/actions.ts";
import { folderWith } from "../support/folder-with.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { fetchTree, ftpull } from "./support/client.ts";
import { expectAfterLogin } from "./support/dialogue.ts";

const withoutMlsd = { features: ["UTF8"] };

describe("where a tree is saved", () => {
  const files = { "a/b/x": "text", "a/b/c/y": "more" };

  it.each([
    ["T1 its last directory names it", "/a/b/", [], { "b/x": "text", "b/c/y": "more" }],
    ["T1 without the final slash, too", "/a/b", [], { "b/x": "text", "b/c/y": "more" }],
    ["T1 with ;type=d, too", "/a/b;type=d", [], { "b/x": "text", "b/c/y": "more" }],
    ["T1 from the root by %2F", "/%2Fa/b/", [], { "b/x": "text", "b/c/y": "more" }],
    ["T1 below -P", "/a/b/", ["-P", "d/e"], { "d/e/b/x": "text", "d/e/b/c/y": "more" }],
    ["T2 -x: the whole path", "/a/b/", ["-x"], { "HOST/a/b/x": "text", "HOST/a/b/c/y": "more" }],
    ["T2 -nH", "/a/b/", ["-nH"], { "a/b/x": "text", "a/b/c/y": "more" }],
    ["T2 --cut-dirs 1", "/a/b/", ["--cut-dirs", "1"], { "HOST/b/x": "text", "HOST/b/c/y": "more" }],
    ["T2 -nH --cut-dirs 3", "/a/b/", ["-nH", "--cut-dirs", "3"], { x: "text", y: "more" }],
    ["T2 -nd", "/a/b/", ["-nd", "-P", "d"], { "d/x": "text", "d/y": "more" }],
    ["T25 a file is fetched as a file", "/a/b/x", [], { x: "text" }],
    ["T2 a file with -nH", "/a/b/x", ["-nH", "--cut-dirs", "1"], { "b/x": "text" }],
  ])("%s", async (_claim, path, options, expected) => {
    const found = await fetchTree({ files }, ["-q", ...options], { path });
    const host = `127.0.0.1:${found.server.port}`;
    const there = Object.entries(found.files).map(([name, text]) => [
      name.replace(host, "HOST"),
      text,
    ]);
    expect([found.status, found.stderr, Object.fromEntries(there)]).toEqual([0, "", expected]);
  });

  // Where wget 1.21.3 saves the file /a/b/x.
  it.each([
    [["-nH", "--cut-dirs=2"], "x"],
    [["-nd"], "x"],
    [["-P", "p", "-nH"], "p/x"],
    [["-x", "--cut-dirs=1"], "HOST/b/x"],
    [["-x", "-nH", "--cut-dirs=1", "-P", "p"], "p/b/x"],
    [["-x", "-nH", "--cut-dirs=9"], "x"],
  ])(
    "T2 as with wget, without -r %j saves %s, of a URL, a list and a pattern",
    async (words, path) => {
      const server = await startServer({ files });
      const host = `127.0.0.1:${server.port}`;
      const expected = { [path.replace("HOST", host)]: "text" };
      const list = await folderWith({ list: server.url("/a/b/x") });
      for (const args of [
        [server.url("/a/b/x")],
        ["-i", join(list, "list")],
        [server.url("/a/b/x*")],
      ]) {
        const { status, cwd } = await ftpull(["-q", ...words, ...args]);
        expect([status, localFiles(cwd)]).toEqual([0, expected]);
      }
    },
  );

  it("T1 the login directory: the host, with its port", async () => {
    const given = { files: { "home/x": "text" }, loginDirectory: "/home" };
    const { server, status, files } = await fetchTree(given, [], { path: "/" });
    expect([status, files]).toEqual([0, { [`127.0.0.1:${server.port}/x`]: "text" }]);
  });

  it("T3 trees that meet in one place are merged, and one that is named twice is fetched once", async () => {
    const server = await startServer({ files: { "a/d/x": "1", "b/d/y": "2" } });
    const urls = ["/a/d/", "/b/d/", "/a/d/"].map((path) => server.url(path));
    const { status, cwd } = await ftpull(["-r", ...urls]);
    expect([status, localFiles(cwd)]).toEqual([0, { "d/x": "1", "d/y": "2" }]);
    expect(server.sent("RETR")).toEqual(["RETR x", "RETR y"]);
  });
});

describe("what is asked", () => {
  const files = { "d/s/y": "2", "d/x": "1", "d/z": "", "d/t/u/v": "3" };

  // Listings are sent in ASCII; the type is foreseen with the way to the directory.
  it.each([
    [
      "MLSD",
      {},
      "PWD, CWD d, EPSV, MLSD, TYPE I, EPSV, RETR a, CWD s, TYPE A, EPSV, MLSD, TYPE I, EPSV, RETR b",
    ],
    [
      "LIST",
      { features: ["UTF8", "SIZE"], hidesDots: true },
      "PWD, CWD d, EPSV, LIST -a, TYPE I, SIZE a, MDTM a, EPSV, RETR a, " +
        "CWD s, TYPE A, EPSV, LIST -a, TYPE I, SIZE b, MDTM b, EPSV, RETR b",
    ],
  ])("T4 T5 T6 a tree over %s, command by command", async (_command, options, dialogue) => {
    const files = { "d/s/b": "2", "d/a": "1" };
    const found = await fetchTree({ files, ...options });
    expect([found.status, found.files]).toEqual([0, files]);
    expectAfterLogin(found.server, ...dialogue.split(", "));
  });

  it("T26 -l lists so many levels", async () => {
    const { server, status, stderr, cwd } = await fetchTree({ files }, ["-q", "-l", "1"]);
    expect([status, localTree(cwd), stderr]).toEqual([0, { "d/": "", "d/x": "1", "d/z": "" }, ""]);
    expect(server.sent("MLSD", "LIST")).toEqual(["MLSD"]);
  });

  it("T7 -j lists and fetches over several sessions", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `d/${index % 4}/${index}`);
    const files = Object.fromEntries(names.map((name) => [name, name]));
    const server = await startServer({ files });
    const another = new Gate();
    server.on("RETR#1", [until(another.opened), proceed]);
    server.on("RETR#2", [() => another.open(), proceed]);
    const { status, cwd } = await ftpull(["-r", "-j", "4", server.url("/d/")]);
    expect([status, localFiles(cwd)]).toEqual([0, files]);
    expect(server.sent("MLSD", "LIST")).toHaveLength(5);
  });
});

describe("a second run", () => {
  const modified = new Date("2021-01-01T00:00:00Z");
  const entry = (content: string, date = modified) => ({ content, modified: date });

  it.each([
    ["MLSD", {}],
    ["LIST", withoutMlsd],
  ])("T8 T10 over %s the same size and time is left, others aren't", async (_command, options) => {
    const files = { "d/same": entry("1"), "d/e/size": entry("22"), "d/e/time": entry("3") };
    const first = await startServer({ ...options, files });
    const { cwd } = await ftpull(["-r", first.url("/d/")]);
    const again = await ftpull(["-r", first.url("/d/")], { cwd });
    expect(again.status).toBe(0);
    expect(first.sent("RETR")).toHaveLength(3);
    const older = new Date("2020-01-01T00:00:00Z");
    const [size, time] = [entry("2"), entry("4", older)];
    const changed = { "d/same": entry("1"), "d/e/size": size, "d/e/time": time };
    const second = await startServer({ ...options, files: changed });
    expect((await ftpull(["-r", second.url("/d/")], { cwd })).status).toBe(0);
    expect(second.sent("RETR")).toEqual(["RETR size", "RETR time"]);
    expect(localFiles(cwd)).toEqual({ "d/same": "1", "d/e/size": "2", "d/e/time": "4" });
  });

  it.each([
    ["T9 -f fetches all", ["-f"], ["RETR x", "RETR y"], "new"],
    ["T9 --no-clobber keeps what is there", ["--no-clobber"], [], "old"],
    ["T9 -c replaces a changed file of the same size", ["-c"], ["RETR x"], "new"],
  ])("%s", async (_claim, options, retrieved, text) => {
    const before = await startServer({ files: { "d/x": entry("old"), "d/y": entry("y") } });
    const { cwd } = await ftpull(["-r", before.url("/d/")]);
    const later = new Date("2022-01-01T00:00:00Z");
    const server = await startServer({ files: { "d/x": entry("new", later), "d/y": entry("y") } });
    const { status } = await ftpull(["-r", ...options, server.url("/d/")], { cwd });
    expect(status).toBe(0);
    expect(server.sent("RETR")).toEqual(retrieved);
    expect(localFiles(cwd)).toEqual({ "d/x": text, "d/y": "y" });
  });
});
