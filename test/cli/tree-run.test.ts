/** -r as it is seen from outside: messages, the total, --json, and an interruption. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const files = { "pub/a": "one", "pub/sub/b": "three", "pub/sub/c": "" };
const rate = String.raw`in [\d.:]+s?(?: \([\d.]+ \S+\))?`;

test("a log has a line for the tree, one for each file that arrived, and the total", async () => {
  const server = await startServer({ files });
  const { status, stdout, stderr } = await run(["-r", server.url("/pub/")]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  const [begin, ...rest] = stderr.split("\n");
  expect(begin).toBe(`files of ${server.url("/pub/")}, in "pub"`);
  expect(rest).toEqual([
    ...Object.keys(files).map((path) =>
      expect.stringMatching(`^${path}: . B from ftp.*/${path} in `),
    ),
    expect.stringMatching(new RegExp(`^ftpull: total: 3 files, 8 B ${rate}$`)),
    "",
  ]);
});

test("files that are unchanged are counted, and named with -v only", async () => {
  const server = await startServer({ files });
  const words = ["-r", server.url("/pub/")];
  const { cwd } = await run(words);
  const { stderr } = await run(words, { cwd });
  const [, total, ...others] = stderr.split("\n");
  expect(total).toMatch(new RegExp(`^ftpull: total: 0 files, 0 B ${rate}, 3 unchanged$`));
  expect(others).toEqual([""]);
  const verbose = await run(["-v", ...words], { cwd });
  expect(verbose.stderr.match(/^ftpull: "[^"]*" is .*: skipped$/gm)).toEqual(
    Object.keys(files).map((path) => expect.stringMatching(new RegExp(`^ftpull: "${path}" is `))),
  );
});

describe("--json has a line for each file and none for directories:", () => {
  type Line = Record<string, unknown>;

  async function lines(options: ServerOptions, ...words: string[]) {
    const server = await startServer({ files, ...options });
    const args = ["-r", "-q", "-t1", "--json", ...words, server.url("/pub/")];
    const once = async (settings = {}) => {
      const { status, stdout, cwd } = await run(args, settings);
      const text = stdout.replaceAll(server.url("/"), "/").trimEnd();
      return { status, cwd, lines: text.split("\n").map((line) => JSON.parse(line) as Line) };
    };
    return { ...(await once()), once };
  }

  test.each<[string, ServerOptions]>([["MLSD", {}]])("over %s", async (_command, options) => {
    const all = await lines(options);
    expect(all).toMatchObject({ status: 0 });
    const modified = "2020-01-02T03:04:05Z";
    const a = { url: "/pub/a", file: "pub/a", bytes: 3, resumed: 0, size: 3, modified, exit: 0 };
    expect(all.lines[0]).toMatchObject(a);
    expect(all.lines.map(({ file }) => file)).toEqual(Object.keys(files));
    const again = await all.once({ cwd: all.cwd });
    expect(
      again.lines.map(({ file, status, reason, exit }) => [file, status, reason, exit]),
    ).toEqual(Object.keys(files).map((file) => [file, "skipped", "unchanged", 0]));
  });

  test("a directory that can't be listed has one, with its status, and so has a file", async () => {
    const denied = "550 Permission denied";
    const on = { "CWD sub": denied, "CWD /pub/sub": denied, "RETR a": denied };
    const { status, lines: all } = await lines({ on });
    expect(status).toBe(8);
    expect(all.map((line) => [line["url"], line["file"], line["status"], line["exit"]])).toEqual([
      ["/pub/a", null, "failed", 8],
      ["/pub/sub/", null, "failed", 8],
    ]);
    for (const line of all) expect(line["error"]).toContain("Permission denied");
  });
});

test("a log has one line for a tree whose top is listed by a second try", async () => {
  const server = await startServer({ files, on: { "MLSD#1": "426 cut" } });
  const { status, stderr } = await run(["-r", "-t", "2", server.url("/pub/")]);
  expect([status, stderr.match(/^files of /gm)?.length]).toEqual([0, 1]);
});

test("failures are listed again at the end, in a tree of more than five results", async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const files = Object.fromEntries(names.map((name) => [`pub/${name}`, name]));
  const server = await startServer({ files, on: { "RETR b": "550 no" } });
  const { status, stderr } = await run(["-r", server.url("/pub/")]);
  const failure = `ftpull: ${server.url("/pub/b")}: cannot retrieve "b": server replied 550 "no"`;
  expect(stderr.split(failure)).toHaveLength(3);
  expect(stderr).toContain(`ftpull: 1 of 6 failed:\n${failure}\nftpull: total: 5 files, `);
  expect(status).toBe(8);
});

test.each([
  ["-A", "*.iso"],
  ["-R", "*"],
])("a tree of which %s %s leaves nothing is a warning, also with -q", async (...rule) => {
  const server = await startServer({ files });
  const { status, stderr, stdout } = await run(["-q", "-r", ...rule, server.url("/pub/")]);
  expect({ status, stdout, stderr }).toEqual({
    status: 0,
    stdout: "",
    stderr:
      "ftpull: warning: nothing was fetched: no file meets -A, -R, --newer-than or --older-than\n",
  });
  const usual = await run(["-q", "-r", "--newer-than", "1h", server.url("/pub/")]);
  expect(usual).toMatchObject({ status: 0, stderr: "" });
});

test("a file that a URL names is fetched whatever its age", async () => {
  const server = await startServer({ files: { x: "old" } });
  const { status, cwd } = await run(["-q", "--newer-than", "7d", server.url("/x")]);
  expect([status, readFileSync(join(cwd, "x"), "utf8")]).toEqual([0, "old"]);
});

describe("Ctrl-C says in one line where a file stopped, and the same command goes on:", () => {
  const big = { "pub/a": "one", "pub/big": "x".repeat(200_000), "pub/sub/c": "last" };
  const stalled = transfer({ first: 100_000, end: "stall" });

  test.each([
    ["a tree", ["-r"], "/pub/"],
    ["a tree with -N", ["-r", "-N"], "/pub/"],
    ["a tree with -nc", ["-r", "-nc"], "/pub/"],
    ["a pattern", ["-P", "pub"], "/pub/b*"],
    ["a file", ["-P", "pub"], "/pub/big"],
  ])("%s", async (_claim, words, path) => {
    const server = await startServer({ files: big, on: { "RETR big": stalled } });
    const args = ["--progress=none", ...words, server.url(path)];
    const program = await startProgram(args);
    const { cwd } = program;
    await expect.poll(() => octetsOf(join(cwd, "pub/big.ftpull"))).toBe(100_000);
    program.child.kill("SIGINT");
    const { signal, stderr } = await program.finished;
    const ending = "stopped at 97 of 195 KiB; the same command goes on from there";
    const line = `ftpull: ${server.url("/pub/big")}: ${ending}\n`;
    expect({ signal, stderr }).toEqual({ signal: "SIGINT", stderr: line });
    expect(Object.keys(localFiles(cwd))).not.toContain("pub/sub/c");
    server.on("RETR big", proceed);
    const before = server.commands.length;
    expect((await run(args, { cwd })).status).toBe(0);
    const wanted = path === "/pub/" ? big : { "pub/big": big["pub/big"] };
    expect(localFiles(cwd)).toEqual(wanted);
    const later = server.commands.slice(before).filter((command) => /^RE(?:ST|TR)/.test(command));
    expect(later[0]).toMatch(/^REST [1-9]/);
    expect(later).not.toContain("RETR a");
  });

  test.each([
    ["-f", ["-f"], "/pub/big"],
    ["standard output", ["-O-"], "/pub/big"],
    ["a text", [], "/pub/big;type=a"],
  ])("or that nothing was kept: %s", async (_claim, words, path) => {
    const server = await startServer({ files: big, on: { RETR: stalled } });
    const program = await startProgram([...words, server.url(path)]);
    await program.says(": fetching ");
    program.child.kill("SIGINT");
    const { stderr } = await program.finished;
    const [, ...last] = stderr.split("\n");
    expect(last).toEqual([`ftpull: ${server.url(path)}: nothing was kept`, ""]);
  });
});

function octetsOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
