/** -r --verify: the sums files of a tree, when they are read, and what they are for. */
import { createHash } from "node:crypto";
import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../support/folder-with.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { ftpull, isPipelining } from "./support/client.ts";
import { expectAfterLogin } from "./support/dialogue.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const md5 = (text: string): string => createHash("md5").update(text).digest("hex");
const wrong = sha256("another");

async function verify(
  files: Record<string, string>,
  words: string[] = [],
  more: ServerOptions = {},
) {
  const server = await startServer({ files, ...more });
  const again = async (cwd: string, ...others: string[]) => {
    const given = ["-r", "--verify", "--progress=none", ...words, ...others, server.url("/d/")];
    const { status, stderr, stdout } = await ftpull(given, { cwd });
    const shown = stderr
      .replaceAll(server.url("/"), "/")
      .replace(/total: (\d+ files?), .*? in .*?s(?: \(.*?\))?(?=[,\n])/, "total: $1");
    return { status, stderr: shown, stdout, files: localFiles(cwd), cwd };
  };
  return { server, again, ...(await again(await temporaryDirectory())) };
}

const retrievals = ({ commands }: { commands: readonly string[] }): string[] =>
  commands.filter((line) => line.startsWith("RETR ")).map((line) => line.slice(5));

it("finds a name with a blank in front", async () => {
  const sums = `${sha256("1")}   x\n`;
  const { status, stderr } = await verify({ "d/ x": "1", "d/SHA256SUMS": sums });
  const words = "ftpull: total: 2 files, 1 verified by sha256, 1 without a checksum\n";
  expect([status, stderr]).toEqual([0, words]);
});

describe("a list that is a file of the tree", () => {
  const listed = "PWD, CWD d, EPSV, MLSD, TYPE I, EPSV, SIZE SHA256SUMS, RETR SHA256SUMS";
  const fetched = ["EPSV", "RETR a", "EPSV", "RETR SHA256SUMS"];
  const entered = "CWD s, TYPE A, EPSV, MLSD, TYPE I, EPSV, RETR b";
  const files = {
    "d/a": "1",
    "d/SHA256SUMS": `${sha256("1")}  a\n${sha256("2")}  s/b\n`,
    "d/s/b": "2",
  };

  it.runIf(isPipelining)(
    "is read for the first file, for those below, too, and saved",
    async () => {
      const { server, ...result } = await verify(files);
      expect(result).toMatchObject({
        status: 0,
        files,
        stderr: "ftpull: total: 3 files, 2 verified by sha256, 1 without a checksum\n",
      });
      expectAfterLogin(server, ...listed.split(", "), ...fetched, ...entered.split(", "));
    },
  );

  it("is read once with -j 8, whatever its name, and saved", async () => {
    const names = Array.from({ length: 20 }, (_, index) => `f${index}`);
    const text = names.map((name) => `${md5(name)}  ${name}\n`).join("");
    const contents = names.map((name) => [`d/${name}`, name] as const);
    const all = { ...Object.fromEntries(contents), "d/md5sum.txt": text };
    const result = await verify(all, ["-j8"]);
    expect(result).toMatchObject({ status: 0, files: all });
    expect(result.stderr).toContain("total: 21 files, 20 verified by md5, 1 without a checksum\n");
    expect(retrievals(result.server).filter((name) => name === "md5sum.txt")).toHaveLength(2);
  });

  it("is read again in a second run, which repairs what is damaged", async () => {
    const { server, again, cwd } = await verify(files);
    const unchanged = await again(cwd, "--json");
    const results = `[${unchanged.stdout.trim().replaceAll("\n", ",")}]`;
    expect(JSON.parse(results)).toMatchObject([
      { url: server.url("/d/a"), status: "skipped", verified: { algorithm: "sha256" } },
      { url: server.url("/d/SHA256SUMS"), status: "skipped", verified: null },
      { url: server.url("/d/s/b"), verified: { source: server.url("/d/SHA256SUMS") } },
    ]);
    damage(join(cwd, "d/a"), "X");
    expect(await again(cwd)).toMatchObject({ status: 0, files });
    const lists = ["SHA256SUMS", "SHA256SUMS"];
    expect(retrievals(server)).toEqual(["SHA256SUMS", "a", "SHA256SUMS", "b", ...lists, "a"]);
  });

  it("counts as the server has it, also where the one that is here has its size and time", async () => {
    const { again, cwd } = await verify(files);
    damage(join(cwd, "d/a"), "X");
    damage(join(cwd, "d/SHA256SUMS"), files["d/SHA256SUMS"].replace(sha256("1"), sha256("X")));
    const { status, files: here } = await again(cwd);
    expect({ status, here }).toMatchObject({ status: 0, here: { "d/a": "1" } });
  });

  it("is taken from the server where --no-clobber keeps another one", async () => {
    const { server, again } = await verify(files);
    const cwd = await folderWith({ "d/SHA256SUMS": `${wrong}  a\n` });
    const { status, stderr } = await again(cwd, "-nc");
    expect(stderr).toContain("2 verified by sha256");
    expect(status).toBe(0);
    expect(retrievals(server).slice(4)).toEqual(["SHA256SUMS", "a", "b"]);
  });
});

it("a path in a list that could begin in two directories begins in the list's own", async () => {
  const list = `${sha256("inner")}  d/x\n`;
  const files = { "d/x": "outer", "d/d/x": "inner", "d/SHA256SUMS": list };
  const { status, stderr, files: here } = await verify(files);
  expect({ status, here }).toEqual({ status: 0, here: files });
  expect(stderr).toContain("/d/x: no checksum was found: it is not verified\n");
  expect(stderr).toContain("total: 3 files, 1 verified by sha256, 2 without a checksum\n");
});

describe("a list that is no file of the tree", () => {
  const files = { "d/a.gz": "1", "d/SHA256SUMS": `${sha256("1")}  a.gz\n`, "d/s/b.gz": "2" };
  const some = { "d/a.gz": "1", "d/s/b.gz": "2" };

  it("is fetched for the first file, and not saved", async () => {
    const result = await verify(files, ["-A", "*.gz"]);
    expect(result).toMatchObject({
      status: 0,
      files: some,
      stderr:
        "ftpull: /d/s/b.gz: no checksum was found: it is not verified\n" +
        "ftpull: total: 2 files, 1 verified by sha256, 1 without a checksum\n",
    });
    expect(retrievals(result.server)).toEqual(["SHA256SUMS", "a.gz", "b.gz"]);
  });

  it("is asked for again if it is refused for now; twice, it is not used", async () => {
    const words = ["-A", "*.gz", "-t2", "--waitretry=0"];
    const once = await verify(files, words, { on: { "RETR SHA256SUMS#1": "450 busy" } });
    expect(once.stderr).toContain(", 1 verified by sha256");
    const on = { "RETR SHA256SUMS": "450 busy" };
    const { server, status, stderr, files: here } = await verify(files, words, { on });
    expect({ status, here }).toEqual({ status: 0, here: some });
    const why = 'cannot retrieve "SHA256SUMS": server replied 450 "busy"';
    expect(stderr).toContain(`/d/SHA256SUMS: not used to verify: ${why}\n`);
    expect(retrievals(server)).toEqual(["SHA256SUMS", "SHA256SUMS", "a.gz", "b.gz"]);
  });
});

it("files with checksums of one file alone are all saved, whatever else is there", async () => {
  const names =
    "x.md5 x.md5.sha256 x.sha512sum SHA256SUMS SHA256SUMS.md5 y.md5 md5sum.txt.asc .sha256 s/x.md5";
  const sums = names.split(" ").map((name) => [`d/${name}`, `${md5("x")}  -\n`] as const);
  const files = { ...Object.fromEntries(sums), "d/x": "x", "d/s/x": "x" };
  for (const more of [{}, { features: ["UTF8", "SIZE", "MDTM"] }]) {
    const { status, files: here } = await verify(files, [], more);
    expect({ status, here }).toEqual({ status: 0, here: files });
  }
});

it("a damaged file is exit 9 and isn't there; the others are", async () => {
  const list = `${md5("1")}  a\n${md5("X")}  b\n`;
  const all = { "d/a": "1", "d/b": "2", "d/MD5SUMS": list, "d/s/a": "3" };
  const { "d/b": _damaged, ...others } = all;
  const { server, status, stderr, files } = await verify(all);
  expect({ status, files }).toEqual({ status: 9, files: others });
  const words = `expected md5 ${md5("X")}, found ${md5("2")}; nothing was kept`;
  expect(stderr).toContain(`ftpull: /d/b: ${words}\n`);
  expect(retrievals(server)).toEqual(["MD5SUMS", "a", "b", "MD5SUMS", "b", "MD5SUMS", "a"]);
});

/** Other content, of the same time. */
function damage(path: string, content: string): void {
  const { mtime, atime } = statSync(path);
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}
