/** -r --checksums: files of a tree are verified by their paths from its top. */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { withoutTotal } from "../support/total.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const files = { "pub/a": "one", "pub/sub/a": "two", "pub/sub/b": "three" };
const all = { a: "one", "sub/a": "two", "sub/b": "three" };

interface Sums {
  /** The texts whose checksums the list has, by path. */
  readonly sums?: Record<string, string>;
  readonly path?: string;
  /** Paths of further URLs. */
  readonly others?: readonly string[];
  readonly server?: ServerOptions;
}

/** Runs -r with a list; URLs in standard error begin with "/". */
async function verify(
  { sums = all, path = "/pub/", others = [], server = {} }: Sums,
  ...words: string[]
) {
  const lists = await temporaryDirectory();
  const list = Object.entries(sums).map(([name, text]) => `${sha256(text)}  ${name}\n`);
  writeFileSync(join(lists, "SUMS"), list.join(""));
  const started = await startServer({ files, ...server });
  const options = ["-r", "--progress=none", "-t1", "--checksums", join(lists, "SUMS")];
  const urls = [path, ...others].map((each) => started.url(each));
  const again = async (cwd?: string) => {
    const result = await run([...options, ...words, ...urls], cwd === undefined ? {} : { cwd });
    const text = withoutTotal(result.stderr)
      .replaceAll(started.url("/"), "/")
      .replaceAll(lists, "LISTS");
    return { status: result.status, stderr: text, cwd: result.cwd };
  };
  return { ...(await again()), again, commands: started.commands };
}

const lacking = (path: string): string =>
  `ftpull: the list of checksums has "${path}", which was not found\n`;
const unlisted = (path: string): string =>
  `ftpull: warning: "LISTS/SUMS" has no checksum of "${path}": it is not verified\n`;

describe("a list that has all files", () => {
  test.each([
    ["by paths from the top", all],
    ['by paths that begin with "./"', { "./a": "one", "./sub/a": "two", "./sub/b": "three" }],
  ])("%s verifies them", async (_claim, sums) => {
    const { status, stderr, cwd } = await verify({ sums });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(localFiles(cwd)).toEqual(files);
  });

  test.each([["-nH and --cut-dirs", "-nH", "--cut-dirs=1"]])(
    "verifies them with %s, too",
    async (_claim, ...words) => {
      const { status, stderr } = await verify({}, ...words);
      expect([status, stderr]).toEqual([0, ""]);
      const wrong = await verify({ sums: { ...all, "sub/b": "other" } }, ...words);
      expect(wrong.status).toBe(9);
    },
  );
});

test("a file with another checksum is exit 9 and isn't there; the others are", async () => {
  const { status, stderr, cwd } = await verify({ sums: { ...all, "sub/a": "other" } });
  expect(status).toBe(9);
  expect(stderr).toMatch(
    /^ftpull: \/pub\/sub\/a: expected sha256 \w+, found \w+; nothing was kept\n/,
  );
  expect(localFiles(cwd)).toEqual({ "pub/a": "one", "pub/sub/b": "three" });
});

describe("a file that the list has and the tree lacks is exit 9", () => {
  test.each<[claim: string, wanted: Sums]>([
    ["beside others", { sums: { ...all, "sub/c": "four" } }],
    ["with the name of another directory's file", { sums: { ...all, b: "three" } }],
    ["with the name of a directory", { sums: { ...all, sub: "x" } }],
  ])("%s", async (_claim, wanted) => {
    const { status, stderr, cwd } = await verify(wanted);
    const missing = Object.keys(wanted.sums ?? {}).find((path) => !(path in all)) ?? "";
    expect({ status, stderr }).toEqual({ status: 9, stderr: lacking(missing) });
    expect(localFiles(cwd)).toEqual(files);
  });

  test.each<[words: string[], server: ServerOptions, status: number]>([
    [["-l", "1"], { files }, 9],
    [[], { files, on: { "CWD sub": "550 denied" } }, 8],
  ])("also of a directory that isn't listed: %j", async (words, server, expected) => {
    const { status, stderr } = await verify({ server }, ...words);
    for (const path of ["sub/a", "sub/b"]) expect(stderr).toContain(lacking(path));
    expect(status).toBe(expected);
  });

  test.each([["/other/b"], ["/other/b*"]])(
    "whatever file of its name, and with its checksum, comes from %s",
    async (other) => {
      const server = { files: { ...files, "other/b": "four" } };
      const { status, stderr } = await verify({
        sums: { ...all, b: "four" },
        others: [other],
        server,
      });
      expect({ status, stderr }).toEqual({ status: 9, stderr: lacking("b") });
    },
  );

  test("but for those that -A and -R leave out", async () => {
    const accepted = await verify({ sums: { ...all, "sub/a": "two" } }, "-A", "a");
    expect(accepted).toMatchObject({ status: 0, stderr: "" });
    expect(localFiles(accepted.cwd)).toEqual({ "pub/a": "one", "pub/sub/a": "two" });
    const rejected = await verify({ sums: { ...all, "sub/c": "x" } }, "-R", "sub/");
    expect(rejected).toMatchObject({ status: 0, stderr: "" });
    const excluded = await verify({ sums: { ...all, "sub/c": "x" } }, "-X", "/pub/sub");
    expect(excluded).toMatchObject({ status: 0, stderr: "" });
    const other = await verify({ sums: { ...all, "sub/c": "x" } }, "-X", "/pub/su");
    expect(other.status).toBe(9);
    expect(other.stderr).toContain(lacking("sub/c"));
    const lacks = await verify({ sums: { ...all, "sub/c": "x" } }, "-R", "a");
    expect(lacks).toMatchObject({ status: 9, stderr: lacking("sub/c") });
  });

  test("but for those that --newer-than leaves out", async () => {
    const { status, stderr, cwd } = await verify({}, "--newer-than", "2021-01-01");
    expect(status).toBe(0);
    expect(stderr).not.toContain("was not found");
    expect(localFiles(cwd)).toEqual({});
  });

  test("but not where a pattern was asked for, which need not be the whole", async () => {
    const { status, stderr } = await verify({ sums: { ...all, c: "x" }, path: "/pub/a*" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("but not where the URL is a file's", async () => {
    const { status, stderr, cwd } = await verify({ path: "/pub/sub/b" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(localFiles(cwd)).toEqual({ b: "three" });
  });
});

describe("a file that the list names by way of a link", () => {
  const links = { "pub/l": "a", "pub/latest": "sub", "pub/sub/up": ".." };
  const byLinks = { ...all, l: "one", "latest/a": "two", "latest/b": "three" };

  test("is verified in its own place, in each run", async () => {
    const first = await verify({ sums: byLinks, server: { files, links } });
    expect(first).toMatchObject({ status: 0, stderr: "" });
    expect(await first.again(first.cwd)).toMatchObject({ status: 0, stderr: "" });
  });

  test.each([
    ["l", "pub/l"],
    ["latest/b", "pub/latest/b"],
  ])("fails with another checksum: %s", async (path, local) => {
    const sums = { ...byLinks, [path]: "other" };
    const { status, stderr } = await verify({ sums, server: { files, links } });
    expect(stderr).toMatch(new RegExp(`^ftpull: "${local}": .*sha256`));
    expect(status).toBe(9);
  });
});

describe("a file that the list lacks is a warning", () => {
  const { "sub/a": _, ...others } = all;

  test("by its path", async () => {
    const { status, stderr, cwd } = await verify({ sums: others });
    expect({ status, stderr }).toEqual({ status: 0, stderr: unlisted("sub/a") });
    expect(localFiles(cwd)).toEqual(files);
  });
});

describe("names that aren't UTF-8", () => {
  const names = ["caf\xE9.txt", "caf\xE8.txt", "s\xFC/voil\xC3\xA0"];
  const files = Object.fromEntries(
    names.map((name) => [`pub/${name}`, Buffer.from(name, "latin1")]),
  );
  const inLatin1 = { files, nameEncoding: "latin1" } as const;

  /** Fetches them with a list of these octets. */
  async function listed(words: readonly string[], list: string, more: ServerOptions = {}) {
    const server = await startServer({ ...inLatin1, ...more });
    const path = join(await temporaryDirectory(), "SUMS");
    writeFileSync(path, list, "latin1");
    const paths = words.filter((word) => word.startsWith("/"));
    const options = words.filter((word) => !word.startsWith("/"));
    const urls = paths.map((each) => server.url(each));
    const shown = ["-t1", "--progress=none"];
    const result = await run([...shown, ...options, "--checksums", path, ...urls]);
    const stderr = withoutTotal(result.stderr);
    return { ...result, stderr, files: Object.keys(localFiles(result.cwd)) };
  }
  const sumOf = (name: string, text = name): string =>
    `${createHash("sha256").update(text, "latin1").digest("hex")}  ${name}\n`;

  test.each([
    ["its octets, in a tree", ["-r", "/pub/"], names.map((name) => sumOf(name)).join("")],
    ["its octets", ["/pub/caf%E9.txt"], sumOf("caf\xE9.txt")],
  ])("each is found by %s", async (_claim, words, list) => {
    expect(await listed(words, list)).toMatchObject({ status: 0, stderr: "" });
  });
});
