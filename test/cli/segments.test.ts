/** `-s`: one file over several data connections, of which anything may be slow, broken or refused. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, stall, transfer, until } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { ServerOptions } from "../support/options.ts";
import { startProgram, type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const mebibyte = 2 ** 20;
/** Three ranges of which none can be divided again. */
const size = 5.5 * mebibyte;
const overlap = 4096;

const modified = new Date("2020-02-29T12:34:56Z");
const source = (octets: number) => ({ content: { size: octets, seed: 1 }, modified });
const content = (octets: number) => generatedOctets(1, 0, octets);

function serve(on: Record<string, Action>, octets = size): Promise<ScriptedServer> {
  const options: ServerOptions = { files: { "x.bin": source(octets) }, on };
  return startServer(options);
}

/** The first transfer stands still after its first octets until the gate opens. */
const held = (gate: Gate): Action => transfer({ pause: { after: 65_536, until: gate.opened } });

const opening = (gate: Gate, action: Action = proceed): Action => [() => gate.open(), action];

const restarts = (server: ScriptedServer): number[] =>
  server.sent("REST").map((line) => Number(line.slice("REST ".length)));

function expectWhole({ status, stderr, cwd }: RunResult, octets = size, name = "x.bin"): void {
  expect(status, stderr).toBe(0);
  expect(readdirSync(cwd)).toEqual([name]);
  expect(readFileSync(join(cwd, name)).equals(content(octets))).toBe(true);
}

describe("a file in segments", () => {
  test("-s 3 retrieves each third over a connection of its own", async () => {
    const gate = new Gate();
    const server = await serve({ "RETR#1": held(gate), "RETR#3": opening(gate) });
    const result = await run(["-s", "3", server.url("/x.bin")]);
    expectWhole(result);
    expect(statSync(join(result.cwd, "x.bin")).mtime).toEqual(modified);
    const third = Math.floor(size / 3);
    expect(restarts(server).toSorted((one, other) => one - other)).toEqual([
      third - overlap,
      Math.floor((2 * size) / 3) - overlap,
    ]);
    expect(server.sent("RETR")).toHaveLength(3);
    expect(server.connections).toHaveLength(3);
    expect(result.stderr).toMatch(/^x\.bin: 5\.5 MiB in /m);
  });

  test.each([
    ["less than 2 MiB", 2 * mebibyte - 1, []],
    ["standard output", size, ["-O", "-"]],
  ])("%s comes over one connection", async (_, octets, options) => {
    const server = await serve({}, octets);
    const result = await run(["-q", "-s", "3", ...options, server.url("/x.bin")]);
    expect(result).toMatchObject({ status: 0, stderr: "" });
    expect(server.connections).toHaveLength(1);
    expect(server.sent("RETR")).toHaveLength(1);
  });

  test("several documents at once, into names of their own and into one file", async () => {
    const files = { a: source(size), b: source(4 * mebibyte) };
    const server = await startServer({ files });
    const urls = [server.url("/a"), server.url("/b")];
    const own = await run(["-q", "-s", "2", "-j", "2", ...urls]);
    expect(own).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(own.cwd, "a")).equals(content(size))).toBe(true);
    expect(readFileSync(join(own.cwd, "b")).equals(content(4 * mebibyte))).toBe(true);
    const one = await run(["-q", "-s", "2", "-O", "ab", ...urls]);
    expect(one).toMatchObject({ status: 0, stderr: "" });
    const both = Buffer.concat([content(size), content(4 * mebibyte)]);
    expect(readFileSync(join(one.cwd, "ab")).equals(both)).toBe(true);
  });
});

describe("a connection that is slow", () => {
  const octets = 8 * mebibyte;

  test.each<[completion: string, action: Action, connections: number]>([
    ["426", "426 Connection closed; transfer aborted", 2],
    ["451", "451 Local error in processing", 2],
    ["226", "226 Transfer complete", 2],
    ["225", "225 Data connection open; no transfer in progress", 2],
    ["nothing", [], 2],
  ])("is relieved, and what it says then is no failure: %s", async (_, completion, connections) => {
    const gate = new Gate();
    const server = await serve(
      {
        "RETR#1": transfer({ pause: { after: 65_536, until: gate.opened }, completion }),
        "RETR#3": opening(gate),
      },
      octets,
    );
    const result = await run(["-q", "-s", "2", server.url("/x.bin")]);
    expectWhole(result, octets);
    expect(result.stderr).toBe("");
    const [second = NaN, third = NaN] = restarts(server);
    expect(second).toBe(4 * mebibyte - overlap);
    expect(third).toBeGreaterThanOrEqual(2 * mebibyte - overlap);
    expect(third).toBeLessThan(3 * mebibyte);
    expect(server.connections).toHaveLength(connections);
  });

  test("serves on after it was relieved", async () => {
    const gate = new Gate();
    const server = await serve(
      {
        "RETR#1": held(gate),
        "RETR#3": opening(gate, transfer({ first: 10_000, end: "reset", completion: "426 cut" })),
      },
      octets,
    );
    const result = await run(["-q", "-s", "2", server.url("/x.bin")]);
    expectWhole(result, octets);
    expect(server.connections).toHaveLength(2);
    expect(server.connections[0]?.commands.filter((line) => line.startsWith("RETR"))).toHaveLength(
      2,
    );
  });
});

describe("a connection that breaks", () => {
  test("leaves its range to another one", async () => {
    const gate = new Gate();
    const octets = 3.5 * mebibyte;
    const server = await serve(
      {
        "RETR#1": held(gate),
        "RETR#2": opening(gate, transfer({ first: 100_000, end: "reset", completion: "426 cut" })),
      },
      octets,
    );
    const result = await run(["-s", "2", "-t", "1", server.url("/x.bin")]);
    expectWhole(result, octets);
    expect(server.sent("RETR")).toHaveLength(3);
    expect(restarts(server)[1]).toBeGreaterThan(octets / 2 - overlap);
    expect(server.connections[0]?.commands.filter((line) => line.startsWith("RETR"))).toHaveLength(
      2,
    );
  });

  test("is tried again when it is the last, building on what is here", async () => {
    const gate = new Gate();
    const cut: Action = transfer({ first: 500_000, end: "reset", completion: "426 cut" });
    const server = await serve({
      "RETR#1": [until(gate.opened), cut],
      "RETR#2": opening(gate, cut),
    });
    const result = await run(["-s", "2", server.url("/x.bin")]);
    expectWhole(result);
    expect(result.stderr).toMatch(/426.*; trying again in/);
    expect(result.stderr).not.toContain("beginning again");
  });
});

describe("a server that can't", () => {
  test.each<[string, Record<string, Action>]>([
    ["let another one in", { "greeting#2": ["421 Too many users", close] }],
    ["go on at an offset", { REST: "502 REST not implemented" }],
    ["tell the time", { MDTM: "550 no time" }],
    ["tell the same size again", { "SIZE#2": "213 77" }],
    ["tell the same time again", { "MDTM#2": "213 19990101000000" }],
    ["find the file again", { "SIZE#2": "550 No such file" }],
  ])("%s sends the file over one connection", async (_, on) => {
    const gate = new Gate();
    const watched = Object.entries(on).map(([pattern, action]) => [pattern, opening(gate, action)]);
    const server = await serve({ "RETR#1": held(gate), ...Object.fromEntries(watched) });
    const result = await run(["-s", "2", server.url("/x.bin")]);
    expectWhole(result);
    expect(server.sent("RETR")).toHaveLength(1);
    expect(result.stderr).not.toContain("again");
  });

  test("let another one in has that said once", async () => {
    const server = await serve({
      "greeting#2": ["421 Too many users", close],
      "greeting#3": ["421 Too many users", close],
    });
    const result = await run(["-s", "3", server.url("/x.bin")]);
    expectWhole(result);
    expect(result.stderr.match(/a connection less/g)).toHaveLength(1);
  });
});

test("a connection that never opens isn't waited for once the file is whole", async () => {
  const server = await serve({ "greeting#2": stall });
  const result = await run(["-s", "2", server.url("/x.bin")]);
  expectWhole(result);
  expect(result.elapsedMs).toBeLessThan(10_000);
});

test("with a checksum, a server that can't say that the file is unchanged is believed", async () => {
  const sha256 = createHash("sha256").update(content(size)).digest("hex");
  const gate = new Gate();
  const server = await serve({ "RETR#1": held(gate), "RETR#2": opening(gate) });
  for (const verb of ["SIZE", "MDTM"])
    server.on(verb, (exchange) =>
      server.sent("RETR").length < 2 ? exchange.proceed() : exchange.session.reply("450 not now"),
    );
  const result = await run(["-s", "2", "--checksum", `sha256:${sha256}`, server.url("/x.bin")]);
  expectWhole(result);
  expect(server.sent("RETR")).toHaveLength(2);
  expect(result.stderr).toContain("nothing shows that the document is unchanged");
});

describe("-c goes on with segments", () => {
  const state = "x.bin.ftpull/state.json";

  type Range = [start: number, end: number];

  /** The ranges that a run has noted as missing. */
  const missingIn = (cwd: string): Range[] => {
    const path = join(cwd, state);
    if (!existsSync(path)) return [];
    const note = JSON.parse(readFileSync(path, "utf8")) as { missing: Range[] | null };
    return note.missing ?? [];
  };

  /** A run that is ended while three slow transfers are under way, and what it noted. */
  async function broken(signal: "SIGINT" | "SIGKILL") {
    const server = await serve({ RETR: transfer({ rate: 200_000 }) });
    const { cwd, child, finished } = await startProgram(["-s", "3", server.url("/x.bin")]);
    // Ranges that adjoin are fetched as one.
    const isUnderWay = (ranges: Range[]): boolean =>
      ranges.length === 3 &&
      ranges.every(([start], index) => start > (ranges[index - 1]?.[1] ?? overlap));
    while (!isUnderWay(missingIn(cwd))) await delay(50);
    child.kill(signal);
    await finished;
    return { cwd, gaps: missingIn(cwd) };
  }

  test("where all octets are here, and only the last reply is missing", async () => {
    const server = await serve({ RETR: transfer({ end: "both", completion: stall }) });
    const url = server.url("/x.bin");
    const { cwd, child, finished } = await startProgram(["-s", "2", url]);
    const data = join(cwd, "x.bin.ftpull/data");
    const octets = () => (existsSync(data) ? readFileSync(data) : Buffer.alloc(0));
    await expect.poll(() => octets().equals(content(size))).toBe(true);
    child.kill("SIGINT");
    await finished;
    server.on("RETR", proceed);
    const before = restarts(server).length;
    const result = await run(["-c", url], { cwd });
    expectWhole(result);
    expect(restarts(server).slice(before)).toEqual([size - 1 - overlap]);
  });

  test.each(["SIGINT", "SIGKILL"] as const)("after %s, over one or several", async (signal) => {
    const { cwd: left, gaps } = await broken(signal);
    expect(gaps).toHaveLength(3);
    for (const options of [[], ["-s", "3"]]) {
      const cwd = await temporaryDirectory();
      cpSync(left, cwd, { recursive: true });
      // The same host and port, or it is another document.
      const server = await serve({});
      const note = readFileSync(join(cwd, state), "utf8");
      writeFileSync(join(cwd, state), note.replace(/:\d+\/x\.bin/, `:${server.port}/x.bin`));
      const result = await run(["-c", ...options, server.url("/x.bin")], { cwd });
      expectWhole(result);
      expect(result.stderr).not.toContain("beginning again");
      const starts = restarts(server).toSorted((one, other) => one - other);
      expect(starts).toEqual(gaps.map(([start]) => start - overlap));
    }
  });
});
