/** --spider: what is there is printed, and nothing is fetched. */
import { readdirSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const modified = new Date("2026-03-01T12:30:00Z");
const files = {
  "pub/a.txt": { content: "12345", modified },
  "pub/b b.gz": { content: "123", modified },
  "pub/sub/c.txt": { content: "1", modified },
  "pub/sub/deep/d.txt": { content: "12", modified },
};

const simple = ["UTF8", "SIZE", "MDTM"];

/** Runs with --spider; URLs in what it prints begin with "/". */
async function spider(path: string, options: ServerOptions = {}, ...words: string[]) {
  const server = await startServer({ files, ...options });
  const result = await run(["--spider", ...words, server.url(path)]);
  expect(server.sent("RETR")).toEqual([]);
  expect(readdirSync(result.cwd)).toEqual([]);
  const root = new RegExp(server.url("/").slice(0, -1), "g");
  const [stdout, stderr] = [result.stdout, result.stderr].map((text) => text.replace(root, ""));
  return { status: result.status, stdout, stderr: stderr ?? "", commands: server.commands };
}

const fileLine = "5\t2026-03-01T12:30:00Z\t/pub/a.txt\n";

describe("a single document", () => {
  const withoutSize = { on: { SIZE: "502 no" } };

  it.each<[claim: string, path: string, options: ServerOptions, stdout: string]>([
    ["a file by SIZE and MDTM", "/pub/a.txt", {}, fileLine],
    ["a file by MDTM alone", "/pub/a.txt", withoutSize, fileLine.replace("5", "-")],
    ["in ASCII by the stored size", "/pub/a.txt;type=a", {}, fileLine.replace("\n", ";type=a\n")],
    ["a directory", "/pub/", {}, "-\t-\t/pub/\n"],
    ["a directory without its slash", "/pub", {}, "-\t-\t/pub/\n"],
  ])("%s", async (_claim, path, options, stdout) => {
    expect(await spider(path, options)).toMatchObject({ status: 0, stdout });
  });

  it("with -q the status is the only answer", async () => {
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect(await spider("/pub/a.txt", {}, "-q")).toMatchObject(quiet);
    expect(await spider("/pub/none", {}, "-q")).toMatchObject({ ...quiet, status: 8 });
    const refused = { on: { PASS: "530 No" } };
    expect((await spider("/pub/a.txt", refused, "-q")).stderr).toContain("530");
    expect((await spider("/pub/*.txt", {}, "-q")).stdout).toContain("a.txt\n");
    expect((await spider("/pub/", {}, "-q", "-r")).stdout).toContain("c.txt\n");
  });

  it.each<[claim: string, path: string, options: ServerOptions, words: string]>([
    ["a file", "/pub/none", {}, "cannot find"],
    ["a file without SIZE", "/pub/none", withoutSize, "cannot find"],
    ["a file with a typecode", "/pub/none;type=i", {}, "cannot find"],
    ["a directory", "/none/", {}, "cannot enter the directory"],
  ])("%s that is missing: 8", async (_claim, path, options, words) => {
    const { status, stdout, stderr } = await spider(path, options);
    expect(stderr).toContain(`${words} "none": `);
    expect({ status, stdout }).toEqual({ status: 8, stdout: "" });
  });

  test("a 4yz to SIZE is tried again", async () => {
    const { status, stdout } = await spider("/pub/a.txt", { on: { "SIZE#1": "450 busy" } });
    expect({ status, stdout }).toEqual({ status: 0, stdout: fileLine });
  });
});

function byListing(pathnames: readonly string[]): (one: string, other: string) => number {
  const at = (name: string): number => pathnames.findIndex((path) => path.endsWith(`/${name}`));
  return (one, other) => at(one) - at(other);
}

describe("a tree", () => {
  const text = (shown: readonly string[]): string => shown.map((line) => `${line}\n`).join("");
  const time = "2026-03-01T12:30:00Z";
  const lines = [
    `5\t${time}\t/pub/a.txt`,
    `3\t${time}\t/pub/b%20b.gz`,
    "-\t2020-01-02T03:04:05Z\t/pub/sub/",
    `1\t${time}\t/pub/sub/c.txt`,
    "-\t2020-01-02T03:04:05Z\t/pub/sub/deep/",
    `2\t${time}\t/pub/sub/deep/d.txt`,
  ];

  it("is printed entry by entry", async () => {
    const { status, stdout, stderr } = await spider("/pub/", {}, "-r");
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: text(lines), stderr: "" });
  });

  it.each<[words: string[], wanted: number[]]>([
    [
      ["-A", "*.gz"],
      [1, 2, 4],
    ],
    [
      ["-l", "2"],
      [0, 1, 2, 3, 4],
    ],
  ])("with %j has what is left of it", async (words, wanted) => {
    const { status, stdout } = await spider("/pub/", {}, "-r", ...words);
    expect(stdout).toBe(text(wanted.map((index) => lines[index]!)));
    expect(status).toBe(0);
  });

  it.each<[options: ServerOptions]>([
    [{ features: simple }],
    [{ features: simple, on: { "MDTM edge.txt": "550 no" } }],
    [{}],
  ])("with times has what the run would fetch, by LIST as well: %j", async (options) => {
    const at = (date: string) => ({ content: date, modified: new Date(date) });
    const all = {
      "pub/old.txt": at("2019-05-01T12:30:00Z"),
      "pub/before.txt": at("2020-03-01T11:59:00Z"),
      "pub/edge.txt": at("2020-03-01T12:30:00Z"),
      "pub/last.txt": at("2020-03-02T12:30:00Z"),
      "pub/new.txt": at("2021-03-01T12:30:00Z"),
    };
    const words = ["-r", "--newer-than", "2020-03-01T12:00Z", "--older-than", "2020-03-02T13:00Z"];
    const listed = await spider("/pub/", { ...options, files: all }, ...words);
    const server = await startServer({ ...options, files: all });
    const { cwd } = await run([...words, server.url("/pub/")]);
    const names = [...listed.stdout!.matchAll(/([^\t/]+\.txt)$/gm)].map(([, name]) => name);
    expect(names).toEqual(readdirSync(`${cwd}/pub`).toSorted(byListing(Object.keys(all))));
    expect(names).toContain("edge.txt");
    expect(listed.status).toBe(0);
  });

  const links = { "top/l": "s", "top/s/m": "x", "top/out": "../pub/a.txt", "top/dir": "../pub" };
  const linked = { files: { ...files, "top/s/x": { content: "1", modified } }, links };

  it.each([
    ["MLSD", {}],
    ["LIST", { features: simple }],
  ])("of %s has a link as what a run makes of it", async (_command, server) => {
    const gone = { ...links, "top/gone": "nowhere" };
    const options = { ...server, ...linked, links: gone };
    const kept = await spider("/top/", options, "-r");
    const names = (stdout = ""): string[] => stdout.match(/\/\S+$/gm)?.toSorted() ?? [];
    expect(names(kept.stdout)).toEqual([
      "/top/gone",
      "/top/l",
      "/top/out",
      "/top/s/",
      "/top/s/m",
      "/top/s/x",
    ]);
    expect(kept.stderr).toContain("/top/dir: left out: the link leads to no file that SIZE shows");
    const followed = await spider("/top/", options, "-r", "--links", "follow");
    const inside = ["a.txt", "b%20b.gz", "sub/", "sub/c.txt", "sub/deep/", "sub/deep/d.txt"];
    expect(names(followed.stdout)).toEqual(
      [
        "/top/dir/",
        ...inside.map((name) => `/top/dir/${name}`),
        "/top/l/",
        "/top/l/m",
        "/top/l/x",
      ].concat(["/top/out", "/top/s/", "/top/s/m", "/top/s/x"]),
    );
    expect(followed.stderr).toContain("/top/gone: the link leads nowhere");
    expect([kept.status, followed.status]).toEqual([0, 0]);
  });

  it("with times has a link to a file by the time of what it leads to", async () => {
    const at = ["--older-than", "2026-01-01"];
    expect((await spider("/top/", linked, "-r", ...at)).stdout).not.toContain("/top/s/m\n");
    const newer = await spider("/top/", linked, "-r", "--newer-than", "2026-01-01");
    expect(newer.stdout).toContain("/top/s/m\n");
  });

  it("whose listing breaks off is printed once", async () => {
    const broken = transfer({
      content: "type=file;size=1;modify=20260301123000; a\r\n",
      completion: "426 broken",
    });
    const { status, stdout } = await spider("/pub/", { on: { "MLSD#1": broken } }, "-r");
    expect([status, stdout]).toEqual([0, text(lines)]);
  });

  it("fails with a name that no file can have: 7", async () => {
    const content = "type=file;size=1;modify=20260301123000; ../a\r\n";
    const on = { MLSD: transfer({ content }) };
    expect(await spider("/pub/", { on }, "-r")).toMatchObject({ status: 7, stdout: "" });
  });

  it("whose listing the server cut is printed as far as it came: 9", async () => {
    const on = { "MLSD#1": transfer({ completion: "226 Output truncated to 3 matches" }) };
    const { status, stdout } = await spider("/pub/", { on }, "-r");
    expect([status, stdout]).toEqual([9, text(lines)]);
  });
});

test("--json prints a result for each file, also of a tree, and no lines beside them", async () => {
  const { status, stdout } = await spider(
    "/pub/",
    { on: { "CWD deep": "550 no" } },
    "-r",
    "--json",
  );
  const results = stdout!
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(results.map(({ url, status: end, size, exit }) => [url, end, size, exit])).toEqual([
    ["/pub/a.txt", "done", 5, 0],
    ["/pub/b%20b.gz", "done", 3, 0],
    ["/pub/sub/c.txt", "done", 1, 0],
    ["/pub/sub/deep/", "failed", null, 8],
  ]);
  expect(results[0]).toMatchObject({ modified: "2026-03-01T12:30:00Z", file: null, bytes: null });
  expect(status).toBe(8);
});
