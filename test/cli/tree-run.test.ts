/** -r as it is seen from outside: messages, the total, --json, and an interruption. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const files = { "pub/a": "one", "pub/sub/b": "three", "pub/sub/c": "" };
const rate = String.raw`in [\d.:]+s?(?: \([\d.]+ \S+\))?`;

const simple = { features: ["UTF8", "SIZE", "MDTM"] };

describe.each<[string, ServerOptions]>([
  ["MLSD", {}],
  ["LIST", simple],
])("over %s", (_command, options) => {
  test("a log has a line for the tree, one for each file that arrived, and the total", async () => {
    const server = await startServer({ files, ...options });
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
    const server = await startServer({ files, ...options });
    const words = ["-r", server.url("/pub/")];
    const { cwd } = await run(words);
    const { stderr } = await run(words, { cwd });
    const [, total, ...others] = stderr.split("\n");
    expect(total).toMatch(new RegExp(`^ftpull: total: 0 files, 0 B ${rate}, 3 skipped$`));
    expect(others).toEqual([""]);
    const verbose = await run(["-v", ...words], { cwd });
    expect(verbose.stderr.match(/^ftpull: "[^"]*" is .*: skipped$/gm)).toEqual(
      Object.keys(files).map((path) => expect.stringMatching(new RegExp(`^ftpull: "${path}" is `))),
    );
  });
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

  test.each<[string, ServerOptions]>([
    ["MLSD", {}],
    ["LIST", simple],
  ])("over %s", async (_command, options) => {
    const all = await lines(options);
    expect(all).toMatchObject({ status: 0 });
    const modified = "2020-01-02T03:04:05Z";
    const a = { url: "/pub/a", file: "pub/a", octets: 3, resumed: 0, size: 3, modified, exit: 0 };
    expect(all.lines[0]).toMatchObject(a);
    expect(all.lines.map(({ file }) => file)).toEqual(Object.keys(files));
    const again = await all.once({ cwd: all.cwd });
    expect(
      again.lines.map(({ file, status, reason, exit }) => [file, status, reason, exit]),
    ).toEqual(Object.keys(files).map((file) => [file, "skipped", "unchanged", 0]));
  });

  test("what -A leaves out has none", async () => {
    const { lines: some } = await lines({}, "-A", "b");
    expect(some.map(({ file }) => file)).toEqual(["pub/sub/b"]);
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

  test("a file that --checksums lacks in the tree has one without a URL", async () => {
    const server = await startServer({ files: { "pub/a": "one" } });
    const stdin = `${"0".repeat(64)}  b\n`;
    const args = ["-r", "-q", "--json", "--checksums", "-", server.url("/pub/")];
    const { status, stdout } = await run(args, { stdin });
    expect(status).toBe(9);
    const all = stdout.trimEnd().split("\n");
    expect(all.map((line) => (JSON.parse(line) as Line)["url"])).toEqual([
      server.url("/pub/a"),
      null,
    ]);
  });
});

describe("Ctrl-C in a tree", () => {
  const kept = "x".repeat(200_000);
  const big = { "pub/a": "one", "pub/big": kept, "pub/sub/c": "last" };

  test.each([
    ["with -c it resumes a file that was begun", ["-c"], ["-c"]],
    ["without -c it begins that file again", [], []],
    ["with --no-clobber, too", ["--no-clobber"], ["--no-clobber"]],
    ["after -N", ["-N"], ["-N", "-c"]],
    ["after -f, which fetches all", ["-f"], ["-c"]],
  ])("the same command fetches what is left: %s", async (_claim, words, again) => {
    const stalled = transfer({ first: 100_000, end: "stall" });
    const server = await startServer({ files: big, on: { "RETR#2": stalled } });
    const program = await startProgram(["-r", "--progress=none", ...words, server.url("/pub/")]);
    const begun = (): number => octetsOf(join(program.cwd, "pub/big.ftpull/data"));
    await expect.poll(begun).toBeGreaterThan(50_000);
    program.child.kill("SIGINT");
    const { signal, stderr } = await program.finished;
    expect(signal).toBe("SIGINT");
    const [interrupted, ...last] = stderr.trimEnd().split("\n").slice(-2);
    expect(interrupted).toMatch(
      /\/pub\/big: interrupted; the folder "pub\/big\.ftpull" has the \d+ octets that arrived$/,
    );
    const isSame = words.includes("-c") || words.includes("--no-clobber");
    const shown = ["ftpull", ...(isSame ? [] : ["-c"]), "-r", "--progress none"];
    const kept = words.filter((word) => word !== "-f");
    const command = [...shown, ...kept, server.url("/pub/")].join(" ");
    expect(last).toEqual([`ftpull: fetch what is left with: ${command}`]);
    const { cwd } = program;
    expect(Object.keys(localFiles(cwd))).not.toContain("pub/sub/c");
    const before = server.commands.length;
    const further = ["-r", "--progress=none", ...again, server.url("/pub/")];
    expect((await run(further, { cwd })).status).toBe(0);
    expect(localFiles(cwd)).toEqual(big);
    const later = server.commands.slice(before).filter((line) => /^(?:RETR|REST)/.test(line));
    expect(later.filter((line) => line.startsWith("RETR"))).toEqual(["RETR big", "RETR c"]);
    expect(later.some((line) => line.startsWith("REST"))).toBe(again.includes("-c"));
  });
});

test("a log has one line for a tree whose top is listed by a second try", async () => {
  const server = await startServer({ files, on: { "MLSD#1": "426 cut" } });
  const { status, stderr } = await run(["-r", "-t", "2", server.url("/pub/")]);
  expect([status, stderr.match(/^files of /gm)?.length]).toEqual([0, 1]);
});

test("Ctrl-C among the files of a pattern: the same", async () => {
  const stalled = transfer({ first: 100_000, end: "stall" });
  const server = await startServer({ files: { a: "x".repeat(200_000) }, on: { RETR: stalled } });
  const program = await startProgram(["--progress=none", server.url("/*")]);
  while (octetsOf(join(program.cwd, "a.ftpull/data")) < 50_000)
    await new Promise((resolve) => setImmediate(resolve));
  program.child.kill("SIGINT");
  const { stderr } = await program.finished;
  expect(stderr).toMatch(
    /\/a: interrupted; the folder "a\.ftpull" has the \d+ octets that arrived\n/,
  );
  const command = `ftpull -c --progress none '${server.url("/*")}'`;
  expect(stderr).toContain(`ftpull: fetch what is left with: ${command}\n`);
});

function octetsOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
