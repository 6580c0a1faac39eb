/** `-s`: one file over several data connections, of which anything may be slow, broken or refused. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, stall, transfer, transferFrom, until } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { ServerOptions } from "../support/options.ts";
import { startProgram, type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const mebibyte = 2 ** 20;
/** Five blocks, of which the last has what is too little for one of its own. */
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
  test("-s 3 takes blocks in the file's order, each over the next free connection", async () => {
    const gate = new Gate();
    const server = await serve({ "RETR#1": held(gate), "RETR#3": opening(gate) });
    const result = await run(["-s", "3", server.url("/x.bin")]);
    expectWhole(result);
    expect(statSync(join(result.cwd, "x.bin")).mtime).toEqual(modified);
    expect(restarts(server)).toEqual([1, 2, 3, 4].map((block) => block * mebibyte - overlap));
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
    expect([server.connections.length, server.sent("RETR").length]).toEqual([1, 1]);
  });

  test("so does a file that -c goes on behind", async () => {
    const cwd = await temporaryDirectory();
    writeFileSync(join(cwd, "x.bin"), content(1000));
    const server = await serve({});
    expectWhole(await run(["-c", "-s", "3", server.url("/x.bin")], { cwd }));
    expect(server.sent("RETR")).toHaveLength(1);
  });
});

test.each([
  [
    "has grown, it is whole, with a note",
    { "SIZE#1": `213 ${size - 10}`, "SIZE#2": `213 ${size - 10}` },
    0,
  ],
  ["always says less, it fails", { SIZE: `213 ${size - 10}` }, 9],
] as const)("where more comes than SIZE said, and SIZE %s", async (_, on, status) => {
  const server = await serve(on);
  const result = await run(["-s", "2", "--progress", "none", server.url("/x.bin")]);
  expect(result.status, result.stderr).toBe(status);
  if (status === 0) expectWhole(result);
  else expect(readdirSync(result.cwd)).not.toContain("x.bin");
});

test("a partial file that can't be opened fails with the system's words", async () => {
  const cwd = await temporaryDirectory();
  mkdirSync(join(cwd, "x.bin.ftpull"));
  const server = await serve({});
  const { status, stderr } = await run(["-q", "-s", "3", server.url("/x.bin")], { cwd });
  expect([status, stderr]).toEqual([3, expect.stringContaining("is a directory")]);
});

describe("a connection that is stopped at its block's end", () => {
  test.each<[completion: string, action: Action]>([
    ["426", "426 Connection closed; transfer aborted"],
    ["451", "451 Local error in processing"],
    ["nothing", []],
  ])("may say %s", async (_, completion) => {
    const server = await serve({ "RETR#1": transfer({ completion }) });
    const result = await run(["-q", "-s", "2", server.url("/x.bin")]);
    expectWhole(result);
    expect(result.stderr).toBe("");
  });
});

describe("a connection that breaks", () => {
  test("ends the try, and the next one begins where all is stored without a gap", async () => {
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
    expect(restarts(server)[1]).toBe(500_000 - overlap);
  });
});

describe("a server that can't", () => {
  test.each<[string, Record<string, Action>]>([
    ["let another one in", { "greeting#2": ["421 Too many users", close] }],
    ["tell the time", { MDTM: "550 no time" }],
    ["tell the same size again", { "SIZE#2": "213 77" }],
  ])("%s sends the file over one connection", async (_, on) => {
    const server = await serve(on);
    const result = await run(["-s", "2", server.url("/x.bin")]);
    expectWhole(result);
    expect(result.stderr).not.toContain("beginning again");
    const [, second] = server.connections;
    expect(second?.commands.some((line) => line.startsWith("RETR")) ?? false).toBe(false);
  });

  test("go on at an offset sends the file from 0 over one connection", async () => {
    const server = await serve({ REST: "502 REST not implemented" });
    const result = await run(["-s", "2", server.url("/x.bin")]);
    expectWhole(result);
    expect(result.stderr.match(/beginning again/g)).toHaveLength(1);
  });
});

test("blocks that don't fit together begin again, over one connection", async () => {
  const other = Buffer.from(content(size));
  other[2 * mebibyte - 1]! ^= 1;
  const gate = new Gate();
  const on = { "RETR#1": held(gate), "RETR#2": transferFrom(other), "RETR#3": opening(gate) };
  const server = await serve(on);
  const result = await run(["-s", "2", server.url("/x.bin")]);
  expectWhole(result);
  expect(result.stderr).toContain("the pieces of the file don't fit together; beginning again");
});

test("a connection that never opens isn't waited for once the file is whole", async () => {
  const server = await serve({ "greeting#2": stall });
  expectWhole(await run(["-s", "2", "-T", "600", server.url("/x.bin")]));
});

describe("a run that is ended in the midst of segments", () => {
  /** Ends a run once one block is whole, and another has begun. */
  async function ended(signal: "SIGINT" | "SIGKILL") {
    const never = new Promise<void>(() => {});
    const isHalf = new Gate();
    const server = await serve({
      "RETR#2": transfer({ pause: { after: 500_000, until: never } }),
      "RETR#3": [() => isHalf.open(), transfer({ pause: { after: 100_000, until: never } })],
    });
    const { cwd, child, finished } = await startProgram(["-s", "2", server.url("/x.bin")]);
    await isHalf.opened;
    const part = join(cwd, "x.bin.ftpull");
    await expect.poll(() => statSync(part).size, { timeout: 20_000 }).toBeGreaterThan(2 * mebibyte);
    child.kill(signal);
    await finished;
    server.on("RETR", proceed);
    const before = restarts(server).length;
    return { server, cwd, before };
  }

  test("by SIGINT goes on from where all is stored without a gap", async () => {
    const { server, cwd, before } = await ended("SIGINT");
    const { size: kept } = statSync(join(cwd, "x.bin.ftpull"));
    expect(kept).toBeGreaterThanOrEqual(mebibyte);
    expect(kept).toBeLessThan(2 * mebibyte);
    expectWhole(await run([server.url("/x.bin")], { cwd }));
    expect(restarts(server).slice(before)).toEqual([kept - overlap]);
  });

  test("by SIGKILL begins again, as gaps can't be seen", async () => {
    const { server, cwd, before } = await ended("SIGKILL");
    expectWhole(await run([server.url("/x.bin")], { cwd }));
    expect(restarts(server).slice(before)).toEqual([]);
  });
});
