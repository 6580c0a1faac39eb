/** The note about `ftpull URL > copy`, which saves a file and leaves the copy empty. */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type DescriptorKind, expectationOf } from "../../src/run/unused-output.ts";
import { caches, launcher, node, RunningProgram } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { hasTerminals, withTerminal } from "../support/terminal.ts";

describe("a standard output that got nothing was meant for the document", () => {
  test.each<[stdout: DescriptorKind, stderr: DescriptorKind, expected: string]>([
    ["file", "terminal", "likely"],
    ["file", "pipe", "likely"],
    ["file", "other", "likely"],
    ["file", "file", "no"],
    ["pipe", "terminal", "sure"],
    ["pipe", "pipe", "no"],
    ["pipe", "file", "no"],
    ["pipe", "other", "no"],
    ["terminal", "terminal", "no"],
    ["other", "terminal", "no"],
  ])("a %s beside a %s: %s", (stdout, stderr, expected) => {
    expect(expectationOf(stdout, stderr)).toBe(expected);
  });
});

const files = { "d/x": "text\n", "d/y": "text\n" };
const note = 'ftpull: "x" is saved, and nothing went to standard output: that is -O -\n';

/** Runs `ftpull OPTIONS URLS REDIRECTION` in a shell, in a directory with a file "log". */
async function inShell(words: string, redirection: string, ...paths: string[]) {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  writeFileSync(join(cwd, "log"), "earlier\n");
  const urls = paths.map((path) => server.url(path));
  const env = { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: caches };
  const script = `"$@" ${words} --progress=none ${redirection}`;
  const shell = spawn("sh", ["-c", script, "sh", node, launcher, ...urls], { cwd, env });
  const result = await new RunningProgram(shell, cwd, 200_000).finished;
  return { ...result, text: (name: string) => readFileSync(join(cwd, name), "latin1") };
}

test("an empty copy is said, once in a run", async () => {
  const one = await inShell("", ">copy", "/d/x");
  expect(one).toMatchObject({ status: 0, stderr: note });
  expect([one.text("x"), one.text("copy")]).toEqual(["text\n", ""]);
  const two = await inShell("", ">copy", "/d/x", "/d/y");
  expect(two.stderr.split(note)).toEqual(["", expect.stringMatching(/^ftpull: total: 2 files/)]);
});

test.each([">copy", ">>log"])(
  "not with -q: the file may be a script's log: %s",
  async (redirection) => {
    expect(await inShell("-q", redirection, "/d/x")).toMatchObject({ status: 0, stderr: "" });
  },
);

test.each<[claim: string, words: string, redirection: string, paths: readonly string[]]>([
  ["one log for both", "", ">log 2>&1", ["/d/x"]],
  ["a log and messages", "", ">log 2>messages", ["/d/x"]],
  ["/dev/null", "", ">/dev/null", ["/d/x"]],
  ["a document on standard output", "-O -", ">copy", ["/d/x"]],
  ["a file that -O names", "-O out", ">copy", ["/d/x"]],
  ["a folder that -P names", "-P dl", ">copy", ["/d/x"]],
  ["-N", "-N", ">copy", ["/d/x"]],
  ["--json", "--json", ">copy", ["/d/x"]],
  ["--spider", "--spider", ">copy", ["/d/x"]],
  ["a tree", "-r", ">copy", ["/d/"]],
  ["a listing", "", ">copy", ["/d/"]],
  ["a listing behind a document", "", ">copy", ["/d/x", "/d/"]],
])("nothing is said: %s", async (_claim, words, redirection, paths) => {
  const result = await inShell(words, redirection, ...paths);
  expect(result.status).toBe(0);
  expect(result.stderr).not.toContain("-O -");
  expect(result.text("log")).not.toContain("-O -");
});

test.runIf(hasTerminals())("a pipe is said where standard error is a terminal", async () => {
  const server = await startServer({ files });
  const cwd = await temporaryDirectory();
  const command = `cd ${cwd} && ${node} ${launcher} -q ${server.url("/d/x")} | cat`;
  const { output } = await withTerminal(command, []);
  expect(output.replaceAll("\r", "")).toBe(note);
});
