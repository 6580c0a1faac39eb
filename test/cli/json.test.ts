/** --json: one line a document on standard output, however it ends. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Gate, proceed, stall, transfer, until } from "../support/actions.ts";
import { closedPort } from "../support/ports.ts";
import { type RunOptions, startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const modified = new Date("2024-05-06T12:00:00Z");
const files = { x: { content: "0123456789", modified }, y: "y", "pub/z": "z" };
let server: ScriptedServer;
beforeEach(async () => {
  server = await startServer({ files });
});

const sha256 = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";

const nothing = {
  url: null,
  file: null,
  bytes: null,
  seconds: null,
  resumed: null,
  size: null,
  modified: null,
  sha256: null,
  verified: null,
  reason: null,
  error: null,
};

type Line = Record<string, unknown>;

/** Runs with --json; the lines of standard output, each of which must be one object. */
async function results(words: readonly string[], options: RunOptions = {}) {
  const result = await run(["--json", "-q", "-t", "1", ...words], options);
  const lines = result.stdout.split("\n");
  expect(lines.pop()).toBe("");
  return { ...result, lines: lines.map((line) => JSON.parse(line) as Line) };
}

describe("a document that", () => {
  test("has arrived: its file, bytes, time, and what the server says of it", async () => {
    const { lines, status, stderr, cwd } = await results([server.url("/x")]);
    expect({ lines, status, stderr }).toEqual({
      lines: [
        {
          ...nothing,
          url: server.url("/x"),
          file: "x",
          bytes: 10,
          seconds: expect.any(Number),
          resumed: 0,
          size: 10,
          modified: "2024-05-06T12:00:00Z",
          status: "done",
          exit: 0,
        },
      ],
      status: 0,
      stderr: "",
    });
    expect(readFileSync(join(cwd, "x"), "utf8")).toBe("0123456789");
  });

  test("was verified by its SHA-256: the checksum; by another one: null", async () => {
    const verified = await results([
      "--checksum",
      `sha256:${sha256.toUpperCase()}`,
      server.url("/x"),
    ]);
    const by = { algorithm: "sha256", source: "--checksum" };
    expect(verified.lines).toMatchObject([{ status: "done", sha256, verified: by }]);
    const md5 = "md5:781e5e245d69b566979b86e28d23f2c7";
    const other = await results(["--checksum", md5, server.url("/x")]);
    expect(other.lines).toMatchObject([{ status: "done", sha256: null }]);
  });

  test("is there already, or is unchanged: skipped, with the reason", async () => {
    const { cwd } = await run(["-q", server.url("/x")]);
    const skipped = { ...nothing, url: server.url("/x"), file: "x", status: "skipped", exit: 0 };
    const there = await results(["-nc", server.url("/x")], { cwd });
    expect(there.lines).toEqual([{ ...skipped, reason: "exists", size: 10 }]);
    const unchanged = await results(["-N", server.url("/x")], { cwd });
    expect(unchanged.lines).toMatchObject([
      { status: "skipped", reason: "unchanged", size: 10, modified: "2024-05-06T12:00:00Z" },
    ]);
  });

  test("broke off, and came in a further try of this run: the figures of both", async () => {
    const cut = transfer({ first: 102_400, completion: "426 cut" });
    const files = { big: { size: 204_800, seed: 1 } };
    const server = await startServer({ files, on: { "RETR#1": cut } });
    const { stdout, stderr } = await run(["--json", server.url("/big")]);
    const line = JSON.parse(stdout) as { seconds: number };
    expect(line).toMatchObject({ bytes: 204_800, resumed: 0 });
    // The wait between the tries counts.
    expect(line.seconds).toBeGreaterThan(0.7);
    const [, shown] = /^big: 200 KiB in ([\d.]+)s/m.exec(stderr) ?? [];
    // Both are rounded, to tenths and to thousandths; whole seconds are shown without a fraction.
    expect(Math.abs(Number(shown) - line.seconds)).toBeLessThan(0.051);
    expect(server.commands).toContainEqual(expect.stringMatching(/^REST /));
  });

  test("broke off: the bytes that are kept", async () => {
    const files = { big: { size: 204_800, seed: 1 } };
    const on = { RETR: transfer({ first: 102_400, completion: "426 cut" }) };
    const server = await startServer({ files, on });
    const { lines, status } = await results([server.url("/big")]);
    const kept = { file: null, bytes: 102_400, size: 204_800 };
    expect(lines).toMatchObject([{ ...kept, ...failure(8, /426 "cut"$/) }]);
    expect(status).toBe(8);
  });
});

describe("a failure has a line with the status that it alone would give", () => {
  const unreachable = async () => `ftp://127.0.0.1:${await closedPort("127.0.0.1")}/x`;

  test.each<[claim: string, exit: number, error: RegExp, words: string[], path: string]>([
    ["no such file", 8, /^cannot retrieve "none": server replied 550/, [], "/none"],
    ["a directory in place of a file", 8, /^"pub" is a directory$/, [], "/pub"],
    ["a checksum", 9, /^expected sha256 84d8/, ["--checksum", `sha256:${sha256}`], "/y"],
    ["a directory that can't be written", 3, /^cannot write/, ["-P", "/dev/null/x"], "/x"],
  ])("%s: %i", async (_claim, exit, error, words, path) => {
    const on = { MLSD: "550 no", LIST: "550 no", NLST: "550 no" };
    const server = await startServer({ files, on });
    const { lines, status } = await results([...words, server.url(path)]);
    expect(lines).toEqual([
      expect.objectContaining({ ...failure(exit, error), url: server.url(path), file: null }),
    ]);
    expect(status).toBe(exit);
  });

  test("of login and network; each beside the others", async () => {
    const login = server.url("/x", { user: "jane", password: "secret" });
    const urls = [login, await unreachable(), "ftp://h/%zz", "http://h/"];
    const { lines, status, stdout } = await results([...urls, server.url("/y")]);
    expect(lines.map(({ status, exit }) => `${String(status)} ${String(exit)}`).toSorted()).toEqual(
      ["done 0", "failed 2", "failed 2", "failed 4", "failed 6"],
    );
    expect(status).toBe(2);
    expect(stdout).not.toContain("secret");
    expect(lines.find(({ exit }) => exit === 6)?.["url"]).toBe(server.url("/x", { user: "jane" }));
  });
});

function failure(exit: number, error: RegExp): Line {
  return { status: "failed", exit, error: expect.stringMatching(error) as unknown };
}

test("a listing beside the lines needs a file; nothing is connected", async () => {
  const urls = [server.url("/pub/"), server.url("/pub;type=d")];
  const { stderr } = await results(urls);
  const complaint = "--json can't share standard output with a listing: use --format json\n";
  const [first, second] = urls.map((url) => `ftpull: ${url}: ${complaint}`);
  expect(stderr).toBe(`${first}${second}`);
  expect(server.commands).toEqual([]);
});

test("-O - is a usage error; nothing is connected", async () => {
  expect(await run(["--json", "-O", "-", server.url("/x")])).toMatchObject({
    status: 2,
    stdout: "",
    stderr: "ftpull: --json and files can't both be on standard output\n",
  });
  expect(server.commands).toEqual([]);
});

test("a line is there as soon as its file is, and messages stay on standard error", async () => {
  const first = new Gate();
  const server = await startServer({
    files,
    on: { "RETR y": [until(first.opened), transfer({})] },
  });
  const program = await startProgram(["--json", server.url("/x"), server.url("/y")]);
  await program.says('"status":"done"');
  expect(program.stdout.split("\n")).toHaveLength(2);
  first.open();
  const { status, stdout, stderr } = await program.finished;
  expect(status).toBe(0);
  expect(stdout.split("\n")).toHaveLength(3);
  expect(stderr).toContain("x: 10 B in ");
});

test("Ctrl-C: a line for each document that was begun, with its status, and none for others", async () => {
  const begun = new Gate();
  const on = {
    "RETR x": transfer({ pause: { after: 4, until: new Promise<void>(() => {}) } }),
    "RETR y": [() => begun.open(), stall],
  };
  const server = await startServer({ files, on });
  const urls = ["/x", "/y", "/pub/z"].map((path) => server.url(path));
  const program = await startProgram(["--json", "-j", "2", ...urls]);
  await Promise.all([begun.opened, program.says("x: fetching 10 B from")]);
  const ended = once(program.child, "exit");
  program.child.kill("SIGINT");
  await ended;
  const { stdout, stderr, signal } = await program.finished;
  expect(signal).toBe("SIGINT");
  const lines = stdout.trimEnd().split("\n");
  const interrupted = { status: "failed", exit: 130, error: "interrupted by SIGINT" };
  expect(lines.map((line) => JSON.parse(line) as Line).toSorted(byUrl)).toMatchObject([
    { ...interrupted, url: urls[0] },
    { ...interrupted, url: urls[1] },
  ]);
  expect(stderr).toContain(`ftpull: ${urls[0]}: nothing was kept\n`);
});

test("a closed pipe ends the files that are still on their way, quietly, and begins no other", async () => {
  const begun = new Gate();
  const on = {
    "RETR big": transfer({ pause: { after: 100_000, until: new Promise<void>(() => {}) } }),
    "RETR x": [until(begun.opened), proceed],
  };
  const big = { size: 200_000, seed: 1 };
  const server = await startServer({ files: { big, ...files }, on });
  const urls = ["/big", "/x", "/y"].map((path) => server.url(path));
  const program = await startProgram(["-q", "--json", "-j", "2", ...urls]);
  program.child.stdout.destroy();
  await expect.poll(() => existsSync(join(program.cwd, "big.ftpull"))).toBe(true);
  begun.open();
  expect(await program.finished).toMatchObject({ status: 1, stderr: "" });
  expect(readdirSync(program.cwd).toSorted()).toEqual(["big.ftpull", "big.ftpull.json", "x"]);
});

function byUrl(one: Line, other: Line): number {
  return String(one["url"]).localeCompare(String(other["url"]));
}
