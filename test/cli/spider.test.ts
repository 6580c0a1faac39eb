/** --spider: what is there is printed, and nothing is fetched. */
import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it, test } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { launcher } from "../support/run.ts";
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
  const no = { SIZE: "502 no", MDTM: "502 no" };
  const withoutFacts = { features: ["UTF8"], on: no };

  it.each<[claim: string, path: string, options: ServerOptions, stdout: string]>([
    ["a file by SIZE and MDTM", "/pub/a.txt", {}, fileLine],
    ["a file without SIZE and MDTM by MLST", "/pub/a.txt", { on: no }, fileLine],
    ["a file by its name alone", "/pub/a.txt", withoutFacts, "-\t-\t/pub/a.txt\n"],
    ["in ASCII by the stored size", "/pub/a.txt;type=a", {}, fileLine.replace("\n", ";type=a\n")],
    ["a directory", "/pub/", {}, "-\t-\t/pub/\n"],
    ["a directory without its slash", "/pub", {}, "-\t-\t/pub/\n"],
  ])("%s", async (_claim, path, options, stdout) => {
    expect(await spider(path, options)).toMatchObject({ status: 0, stdout });
  });

  it("with -q the status is the only answer", async () => {
    const quiet = { status: 0, stdout: "", stderr: "" };
    expect(await spider("/pub/a.txt", {}, "-q")).toMatchObject(quiet);
    expect(await spider("/pub/none", {}, "-q")).toMatchObject({ status: 8, stdout: "" });
    expect((await spider("/pub/*.txt", {}, "-q")).stdout).toContain("a.txt\n");
    expect((await spider("/pub/", {}, "-q", "-r")).stdout).toContain("c.txt\n");
  });

  it.each<[claim: string, path: string, options: ServerOptions]>([
    ["a file", "/pub/none", {}],
    ["a file without SIZE and MDTM", "/pub/none", withoutFacts],
    ["where NLST says 450", "/pub/none", { ...withoutFacts, on: { ...no, NLST: "450 none" } }],
    [
      "a file of which an error message is the listing",
      "/pub/none",
      { ...withoutFacts, on: { ...no, NLST: transfer({ content: "ls: none: No such file\r\n" }) } },
    ],
    ["a file with a typecode", "/pub/none;type=i", {}],
    ["a directory", "/none/", {}],
  ])("%s that is missing: 8", async (_claim, path, options) => {
    const { status, stdout, stderr } = await spider(path, options);
    expect(stderr).toMatch(/there is no "none"|cannot enter the directory "none"/);
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
  const time = "2026-03-01T12:30:00Z";
  const lines = [
    `5\t${time}\t/pub/a.txt`,
    `3\t${time}\t/pub/b%20b.gz`,
    "-\t2020-01-02T03:04:05Z\t/pub/sub/",
    `1\t${time}\t/pub/sub/c.txt`,
    "-\t2020-01-02T03:04:05Z\t/pub/sub/deep/",
    `2\t${time}\t/pub/sub/deep/d.txt`,
  ];
  const total = "# 4 files, 2 directories, 11 octets";

  it("is printed entry by entry, with a total", async () => {
    const { status, stdout } = await spider("/pub/", {}, "-r");
    expect([status, stdout]).toEqual([0, [...lines, total, ""].join("\n")]);
  });

  it("by LIST has its sizes and times without a zone, and no file is asked about", async () => {
    const { stdout, commands } = await spider("/pub", { features: simple }, "-r");
    const sizes = stdout!.split("\n").map((line) => line.replace(/\t.*\t/, " "));
    const wanted = lines.map((line) => line.replace(/\t.*\t/, " "));
    expect(sizes).toEqual([...wanted, total, ""]);
    expect(stdout).not.toContain("Z\t");
    expect(commands.filter((line) => /^(?:SIZE|MDTM) (?!pub$)/.test(line))).toEqual([]);
  });

  it.each<[words: string[], wanted: number[], total: string]>([
    [["-A", "*.gz"], [1, 2, 4], "# 1 file, 2 directories, 3 octets"],
    [["-R", "sub/"], [0, 1], "# 2 files, 0 directories, 8 octets"],
    [["-l", "2"], [0, 1, 2, 3, 4], "# 3 files, 2 directories, 9 octets"],
    [["--older-than", "2026-01-01"], [2, 4], "# 0 files, 2 directories, 0 octets"],
  ])("with %j has what is left of it", async (words, wanted, sum) => {
    const { status, stdout } = await spider("/pub/", {}, "-r", ...words);
    expect(stdout).toBe([...wanted.map((index) => lines[index]), sum, ""].join("\n"));
    expect(status).toBe(0);
  });

  it.each<[options: ServerOptions]>([
    [{ features: simple }],
    [{ features: ["UTF8"], on: { MDTM: "502 no" } }],
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
    const names = [...listed.stdout!.matchAll(/\t(\S+\.txt)$/gm)].map(([, name]) => name);
    expect(names).toEqual(readdirSync(`${cwd}/pub`).toSorted(byListing(Object.keys(all))));
    expect(names).toContain("edge.txt");
    expect(listed.status).toBe(0);
  });

  it("of a pattern has what matches", async () => {
    const { stdout } = await spider("/pub/*.txt");
    expect(stdout).toBe([lines[0], "# 1 file, 0 directories, 5 octets", ""].join("\n"));
  });

  it("has links as what they lead to, and those that lead nowhere as warnings", async () => {
    const facts = "modify=20260301123000;";
    const links = ["file", "sub", "none"].map((name) => `type=OS.unix=slink:x;${facts} to-${name}`);
    const content = links.map((line) => `${line}\r\n`).join("");
    const linked = { "top/to-file": "1234", "top/to-sub/x": "1" };
    const on = { "MLSD#1": transfer({ content }) };
    const { status, stdout, stderr } = await spider("/top/", { files: linked, on }, "-r");
    const at = "2020-01-02T03:04:05Z";
    const shown = [`4\t${at}\tto-file`, "-\t-\tto-sub/", `1\t${at}\tto-sub/x`];
    expect(stdout).toBe([...shown, "# 2 files, 1 directory, 5 octets", ""].join("\n"));
    expect(stderr).toContain("to-none: the link leads nowhere");
    expect(status).toBe(0);
  });

  it.each([
    ["MLSD", {}],
    ["LIST", { features: simple }],
  ])("of %s has a link that a run keeps as one line", async (_command, server) => {
    const links = { "pub/l": "sub", "pub/sub/m": "c.txt", "pub/sub/up": "../sub" };
    const { status, stdout } = await spider("/pub/", { ...server, links }, "-r");
    const kept = ["sub/m -> c.txt", "sub/up -> ../sub", "l -> sub"];
    expect(stdout?.split("\n").filter((line) => line.includes(" -> "))).toEqual(
      kept.map((text) => expect.stringMatching(`^-\t2020-01-02(T03:04:05Z)?\t${text}$`)),
    );
    expect(stdout).toContain("# 4 files, 2 directories, 3 links, 11 octets\n");
    expect(status).toBe(0);
    const followed = await spider("/pub/", { ...server, links }, "-r", "--links", "follow");
    expect(followed.stdout).toContain("\tl/c.txt\n");
  });

  it.each([
    ["MLSD", {}],
    ["LIST", { features: simple }],
  ])("of %s chooses a link by the time of what it leads to", async (_command, server) => {
    const links = { "pub/l": "sub", "pub/new": "a.txt", "pub/old": "b b.gz" };
    const old = { content: "123", modified: new Date("2019-05-01T12:30:00Z") };
    const options = { ...server, links, files: { ...files, "pub/b b.gz": old } };
    const kept = async (option: string) => {
      const { stdout = "" } = await spider("/pub/", options, "-r", option, "2026-01-01");
      return stdout.match(/[^\t\n]+ -> .*|, \d links?,/g);
    };
    expect(await kept("--newer-than")).toEqual(["l -> sub", "new -> a.txt", ", 2 links,"]);
    expect(await kept("--older-than")).toEqual(["l -> sub", "old -> b b.gz", ", 2 links,"]);
  });

  it("with a link to a directory that may not be entered ends with status 8", async () => {
    const links = { "pub/l": "/pub2" };
    const on = { "CWD l": "550 Permission denied" };
    const { status, stdout, stderr } = await spider("/pub/", { links, on }, "-r");
    expect(stdout).toBe([...lines, total, ""].join("\n"));
    expect(stderr).toContain('cannot enter the directory "l": server replied 550 "Permission');
    expect(status).toBe(8);
  });

  it("with a line that can't be read, or a name that no file can have, ends with status 7", async () => {
    const content = "nothing at all\r\ntype=file;size=1;modify=20260301123000; a/b\r\n";
    const on = { MLSD: transfer({ content }) };
    const { status, stdout, stderr } = await spider("/pub/", { on }, "-r");
    expect(stdout).toBe("# 0 files, 0 directories, 0 octets\n");
    expect(stderr).toContain("something may be missing");
    expect(stderr).toContain("no file can have");
    expect(status).toBe(7);
  });

  it("whose listing breaks off is printed once", async () => {
    const broken = transfer({
      content: "type=file;size=1;modify=20260301123000; a\r\n",
      completion: "426 broken",
    });
    const { status, stdout } = await spider("/pub/", { on: { "MLSD#1": broken } }, "-r");
    expect([status, stdout]).toEqual([0, [...lines, total, ""].join("\n")]);
  });

  it("has a link's line once, also if the listing of its directory breaks off", async () => {
    const link = "type=OS.unix=slink:x;modify=20260301123000; l\r\n";
    const broken = transfer({ first: 10, completion: "426 broken" });
    const on = { "MLSD#1": transfer({ content: link }), "MLSD#2": broken };
    const linked = { "top/l/x": { content: "1", modified } };
    const { status, stdout } = await spider("/top/", { files: linked, on }, "-r");
    const total = "# 1 file, 1 directory, 1 octet";
    expect([status, stdout]).toEqual([0, ["-\t-\tl/", `1\t${time}\tl/x`, total, ""].join("\n")]);
  });

  it("keeps a directory's lines together with -j", async () => {
    const { stdout } = await spider("/pub/", {}, "-r", "-j", "4");
    expect(stdout!.split("\n").slice(0, 3)).toEqual(lines.slice(0, 3));
    expect(stdout!.split("\n").toSorted()).toEqual([...lines, total, ""].toSorted());
  });
});

test("a full disk behind standard output is an error, and a closed pipe ends the run quietly", async () => {
  const server = await startServer({ files });
  const command = `"${process.execPath}" "${launcher}" --spider -r ${server.url("/pub/")}`;
  const shell = (line: string) => promisify(execFile)("sh", ["-c", line]);
  const words = "cannot write standard output: no space left on device";
  const full = { code: 3, stderr: expect.stringContaining(words) as string };
  await expect(shell(`${command} >/dev/full`)).rejects.toMatchObject(full);
  expect(await shell(`${command} | true`)).toMatchObject({ stderr: "" });
});

test.each<[ServerOptions]>([[{}], [{ features: simple }]])(
  "--json has the times that plain --spider prints: %j",
  async (options) => {
    const recent = new Date(Math.floor(Date.now() / 1000) * 1000 - 5000);
    const all = { files: { ...files, "pub/now": { content: "1", modified: recent } }, ...options };
    const plain = await spider("/pub/", all, "-r");
    const lines = plain.stdout!.split("\n").map((line) => line.split("\t"));
    const printed = lines.flatMap(([, time = "", name = "/"]) =>
      name.endsWith("/") ? [] : [time],
    );
    const { stdout } = await spider("/pub/", all, "-r", "--json");
    const results = stdout!.trim().split("\n");
    const times = results.map((line) => (JSON.parse(line) as { modified: string }).modified);
    expect(times).toEqual(printed);
    expect(times).toHaveLength(5);
  },
);

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
