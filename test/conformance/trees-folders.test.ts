/** Which directories of a tree are entered, and which are made: -X, -R with paths, -nd, --cut-dirs. */
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { localFiles, localTree } from "../support/local-tree.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { fetchTree, ftpull } from "./support/client.ts";

describe("-nd", () => {
  const modified = new Date("2021-01-01T00:00:00Z");
  const entry = (content: string) => ({ content, modified });
  const files = {
    "d/.netrc": entry("theirs"),
    "d/s/thesis.txt": entry("other"),
    "d/s/new": entry("1"),
  };
  const own = { ".netrc": "mine", "thesis.txt": "mine, too" };

  it.each<[words: string[], expected: Record<string, string>]>([
    [[], { ...own, ".netrc.1": "theirs", "thesis.txt.1": "other", new: "1" }],
    [["-nc"], { ...own, new: "1" }],
    [["-f"], { ".netrc": "theirs", "thesis.txt": "other", new: "1" }],
    [["-m"], { ".netrc": "theirs", "thesis.txt": "other", new: "1" }],
  ])("T9 replaces a file that was there with -N, -m or -f only: %j", async (words, expected) => {
    const settings = { cwd: await folderWith(own) };
    const found = await fetchTree({ files }, ["-nd", ...words], settings);
    expect([found.status, found.files]).toEqual([0, expected]);
  });

  it("T8 leaves what has the same size and time, and no link of the user's is lost", async () => {
    const server = await startServer({ files });
    const cwd = await folderWith({ mine: "theirs" });
    utimesSync(join(cwd, "mine"), modified, modified);
    symlinkSync("mine", join(cwd, ".netrc"));
    const args = ["-r", "-nd", server.url("/d/")];
    const runs = [await ftpull(args, { cwd }), await ftpull(args, { cwd })];
    expect(runs.map(({ status }) => status)).toEqual([0, 0]);
    expect(runs[1]!.stderr).toContain("3 unchanged");
    const here = { ".netrc": " -> mine", mine: "theirs", new: "1", "thesis.txt": "other" };
    expect(localFiles(cwd)).toEqual(here);
  });
});

describe("-nd and --cut-dirs: two sources of one name", () => {
  const files = { "d/x": "1", "d/a/x": "other", "d/a/y": "2", "d/b/y": "another", "d/b/z": "3" };
  const kept = { x: "1", y: "2", z: "3" };

  it.each([
    ["-nd", ["-nd"]],
    ["--cut-dirs", ["-nH", "--cut-dirs=9"]],
    ["-f", ["-nd", "-f"]],
    ["--no-clobber", ["-nd", "--no-clobber"]],
  ])("%s: the second is a failure that names both, in each run", async (_claim, words) => {
    const server = await startServer({ files });
    const cwd = await temporaryDirectory();
    const taken = (name: string, first: string, second: string): string =>
      `ftpull: ${server.url(second)}: cannot write "${name}": ${server.url(first)} has the same local name\n`;
    for (const _run of ["first", "second"]) {
      const { status, stderr } = await ftpull(["-r", "-q", ...words, server.url("/d/")], { cwd });
      expect(stderr).toContain(taken("x", "/d/x", "/d/a/x"));
      expect(stderr).toContain(taken("y", "/d/a/y", "/d/b/y"));
      expect([status, localFiles(cwd)]).toEqual([3, kept]);
    }
  });

  it("over several connections no file is written twice, whichever comes first", async () => {
    const found = await fetchTree({ files }, ["-nd", "-j4"]);
    const { y, ...others } = found.files;
    expect([found.status, others]).toEqual([3, { x: "1", z: "3" }]);
    expect(["2", "another"]).toContain(y);
  });

  it("links and patterns are cut in the same way; a directory of the tree comes once", async () => {
    const links = { "d/one/l": "../../e", "d/in": "one" };
    const given = { files: { "d/one/s/x": "1", "e/f/y": "2" }, links };
    const settings = { path: "/d/o*" };
    const { server, status, cwd } = await fetchTree(given, ["-nH", "--cut-dirs=3"], settings);
    expect([status, localTree(cwd)]).toEqual([0, { x: "1", "f/": "", "f/y": "2" }]);
    const flat = await ftpull(["-r", "-nd", server.url("/d/")]);
    expect([flat.status, localTree(flat.cwd)]).toEqual([0, { x: "1", y: "2" }]);
    expect(flat.stderr).toContain("/d/in: left out: the link leads to no file");
  });
});

describe("directories that are left out by their paths", () => {
  const files = {
    "pub/old/a": "1",
    "pub/s/old/b": "2",
    "pub/s/t/old/c": "3",
    "pub/tmp/d": "4",
    "pub/older/e": "5",
  };
  const all = "abcde";

  it.each([
    ["-X from the tree's top", "old", "/pub/", "bcde"],
    ["-X from the tree's top, further below", "s/old", "/pub/", "acde"],
    ["-X of a path that isn't the top's, nothing", "pub/old", "/pub/", all],
    ["-X with a slash behind", "/pub/old/", "/pub/", "bcde"],
    ["-X with a slash alone, all", "/", "/pub/", ""],
    ["-X, a list", "/pub/old,/pub/s/t,tmp", "/pub/", "be"],
    ["-X, a wildcard is for one name", "/pub/*/old", "/pub/", "acde"],
    ["-X, a pattern of a name", "/p*/[ot]*", "/pub/", "bc"],
    ["-X of a URL from the root", "/pub/old", "/%2Fpub/", "bcde"],
    ["-X of what is below the URL's directory", "/pub/s/old", "/pub/s", "c"],
    ["-X of a directory above", "/pub/s", "/pub/s", ""],
    ["-R", "old/", "/pub/", "de"],
  ])("%s %s of %s", async (claim, value, path, expected) => {
    const server = await startServer({ files });
    const words = ["-r", "-nd", claim.slice(0, 2), value, server.url(path)];
    const { status, cwd } = await ftpull(words);
    expect([status, Object.keys(localFiles(cwd)).toSorted().join("")]).toEqual([0, expected]);
    const { stdout } = await ftpull(["--spider", ...words]);
    const spider = [...stdout.matchAll(/^\d+\t\S+\t(?:.*\/)?(\w)$/gm)].map(([, name = ""]) => name);
    expect(spider.toSorted().join("")).toBe(expected);
  });

  it("-X of a path that no directory has is a warning, also with -q", async () => {
    const words = ["-q", "-X", "/pub/old,none"];
    const { status, stderr } = await fetchTree({ files }, words, { path: "/pub/" });
    const warning = 'ftpull: warning: -X "none" left nothing out: no directory has this path\n';
    expect([status, stderr]).toEqual([0, warning]);
  });

  it("a directory that a link leads to is left out by the link's path", async () => {
    const given = { files: { "e/x": "1", "d/y": "2" }, links: { "d/l": "../e" } };
    const found = await fetchTree(given, ["--links", "follow", "-X", "/d/l"]);
    expect([found.status, found.files]).toEqual([0, { "d/y": "2" }]);
  });
});

describe.each([
  ["MLSD", {}],
  ["LIST", { features: ["UTF8", "SIZE", "MDTM"] }],
])("T24 T27 over %s, directories that get no file", (_command, options) => {
  const old = new Date("2001-01-01");
  const files = { "d/a/x.gz": "1", "d/a/b/y": "2", "d/c/z": { content: "3", modified: old } };
  const directories = ["d/empty"];

  it.each<[words: string[], made: string]>([
    [["-A", "gz"], "d/ d/a/ d/a/x.gz"],
    [["-R", "gz,y"], "d/ d/c/ d/c/z"],
    [["--newer-than", "2002-01-01"], "d/ d/a/ d/a/b/ d/a/b/y d/a/x.gz"],
    [["--older-than", "2002-01-01"], "d/ d/c/ d/c/z"],
    [["-A", "nothing"], ""],
    [["-X", "/d/a"], "d/ d/c/ d/c/z d/empty/"],
  ])("aren't made with %j", async (words, made) => {
    const { status, cwd } = await fetchTree({ files, directories, ...options }, words);
    expect([status, Object.keys(localTree(cwd)).toSorted().join(" ")]).toEqual([0, made]);
  });

  it("aren't made for a file that is refused", async () => {
    const given = { files, directories, ...options, on: { "RETR x.gz": "550 no" } };
    const { status, cwd } = await fetchTree(given, ["-A", "gz"]);
    expect([status, localTree(cwd)]).toEqual([8, {}]);
  });
});
