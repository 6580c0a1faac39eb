import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { Gate, stall, transfer } from "../support/actions.ts";
import { deafPort } from "../support/deaf-port.ts";
import { generatedOctets } from "../support/generated.ts";
import { launcher, RunningProgram, type RunResult, startProgram } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const size = 300_000;
const files = { x: { size, seed: 5 }, y: "y" };
const never = new Promise<void>(() => {});

/** A silence that is waited for would take thirty seconds. */
const promptly = 20_000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Sends the signal; the program ends promptly, and by the signal. */
async function interrupted(
  program: RunningProgram,
  signal: NodeJS.Signals = "SIGINT",
): Promise<RunResult> {
  const began = performance.now();
  const ended = once(program.child, "exit");
  program.child.kill(signal);
  await ended;
  expect(performance.now() - began).toBeLessThan(promptly);
  program.child.stdout.resume();
  const result = await program.finished;
  expect(result.signal).toBe(signal);
  return result;
}

function received(server: ScriptedServer, command: string): Promise<void> {
  return expect.poll(() => server.commands).toContain(command);
}

test.each(signals)("%s ends a transfer in order, and then the program", async (signal) => {
  const server = await startServer({ files });
  server.on("RETR#1", transfer({ pause: { after: 200_000, until: never } }));
  const url = server.url("/x");
  const program = await startProgram([url]);
  const { cwd } = program;
  await partOf(program, 200_000);
  const { stdout, stderr } = await interrupted(program, signal);
  const ending = "stopped at 195 of 293 KiB; the same command goes on from there";
  expect([stdout, ...stderr.split("\n").slice(-2)]).toEqual(["", `ftpull: ${url}: ${ending}`, ""]);
  await expect.poll(() => server.commands.at(-1)).toBe("QUIT");
  expect(readdirSync(cwd).toSorted()).toEqual(["x.ftpull", "x.ftpull.json"]);
  expect(await run(["-q", url], { cwd })).toMatchObject({ status: 0, stderr: "" });
  expect(server.commands).toContain("REST 195904");
  expect(readFileSync(join(cwd, "x")).equals(generatedOctets(5, 0, size))).toBe(true);
  expect(readdirSync(cwd)).toEqual(["x"]);
});

describe("SIGHUP ends no program", () => {
  test("that nohup has started", async () => {
    const { url, gate } = await startHalfWay();
    const program = await startProgram(["-q", url], { env: { _: "/usr/bin/nohup" } });
    await outlivesHangup(program, () => program.child.pid, gate);
  });

  test.runIf(process.platform === "linux")("of a shell that ignores it", async () => {
    const { url, gate } = await startHalfWay();
    const cwd = await temporaryDirectory();
    const script = `trap "" HUP; "$@" & echo $!; wait $!`;
    const shell = spawn("sh", ["-c", script, "sh", process.execPath, launcher, "-q", url], { cwd });
    const program = new RunningProgram(shell, cwd, 200_000);
    await outlivesHangup(program, () => Number(program.stdout), gate);
  });
});

test.runIf(process.platform === "linux")(
  "SIGHUP ends the program of a shell that ignores it later, as timeout -s HUP does",
  async () => {
    const { url } = await startHalfWay();
    const cwd = await temporaryDirectory();
    const script = `"$@" & read go; trap "" HUP; kill -HUP $!; wait $!`;
    const shell = spawn("sh", ["-c", script, "sh", process.execPath, launcher, "-q", url], { cwd });
    const program = new RunningProgram(shell, cwd, 200_000);
    await partOf(program, 200_000);
    shell.stdin.end("go\n");
    expect(await program.finished).toMatchObject({ status: 129 });
  },
);

async function outlivesHangup(
  program: RunningProgram,
  pidOf: () => number | undefined,
  gate: Gate,
): Promise<void> {
  await partOf(program, 200_000);
  expect(process.kill(pidOf() ?? NaN, "SIGHUP")).toBe(true);
  await delay(100);
  gate.open();
  expect(await program.finished).toMatchObject({ status: 0, stderr: "" });
  expect(statSync(join(program.cwd, "x")).size).toBe(size);
}

/** A server that stops in the middle of /x until it is told to go on. */
async function startHalfWay(): Promise<{ url: string; gate: Gate }> {
  const gate = new Gate();
  const pause = { after: 200_000, until: gate.opened };
  const server = await startServer({ files, on: { "RETR#1": transfer({ pause }) } });
  return { url: server.url("/x"), gate };
}

/** Waits until the document x has so many octets. */
async function partOf({ cwd }: RunningProgram, octets: number): Promise<void> {
  const part = join(cwd, "x.ftpull");
  await expect.poll(() => statSync(part, { throwIfNoEntry: false })?.size).toBe(octets);
}

interface Stage {
  readonly on: Record<string, Action>;
  readonly args?: readonly string[];
  readonly path?: string;
  /** The command with which the server has received everything that comes before. */
  readonly after: string;
}

const stages: [string, Stage][] = [
  ["at the greeting", { on: { greeting: stall }, after: "" }],
  ["at PASS", { on: { PASS: stall }, after: "USER anonymous" }],
  ["at RETR", { on: { RETR: stall }, after: "RETR x" }],
  ["in a listing that stands still", { on: { MLSD: stall }, path: "/", after: "MLSD" }],
  ["while it waits to try again", { on: { RETR: "451 later" }, after: "RETR x", args: ["-t0"] }],
];

describe("SIGINT ends a run, and leaves nothing behind", () => {
  test.each(stages)("%s", async (_claim, { on, after, args = [], path = "/x" }) => {
    const server = await startServer({ files, on });
    const program = await startProgram([...args, server.url(path)]);
    if (after === "") await expect.poll(() => server.connections).toHaveLength(1);
    else await received(server, after);
    if (args.length > 0) await program.says("trying again");
    const result = await interrupted(program);
    expect(result.stderr).toContain(`ftpull: ${server.url(path)}: interrupted by SIGINT\n`);
    await expect.poll(() => server.commands.at(-1)).toBe("QUIT");
    expect(readdirSync(result.cwd)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("while it connects", async () => {
    const program = await startProgram([`ftp://127.0.0.1:${await deafPort()}/x`]);
    await expect.poll(() => socketsOf(program)).toBe(1);
    await interrupted(program);
  });
});

function socketsOf({ child }: RunningProgram): number {
  const directory = `/proc/${child.pid}/fd`;
  const others = readdirSync(directory).filter((fd) => Number(fd) > 2);
  return others.filter((fd) => readlinkSync(`${directory}/${fd}`).startsWith("socket:")).length;
}

describe("SIGINT, where standard output is not read", () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `type=file;size=1; file-${index}\r\n`);
  test.each([
    ["a listing", [], "/", "MLSD", "interrupted by SIGINT"],
    ["a file", ["-O", "-"], "/big", "RETR big", "nothing was kept"],
  ])("ends %s", async (_claim, args, path, command, ending) => {
    const big = { size: 5_000_000, seed: 1 };
    const on = { MLSD: transfer({ content: lines.join("") }) };
    const server = await startServer({ files: { big }, on });
    const program = await startProgram([...args, server.url(path)]);
    program.child.stdout.pause();
    await received(server, command);
    await delay(300); // until the pipe is full, which can't be seen
    const result = await interrupted(program);
    expect(result.stderr).toContain(`ftpull: ${server.url(path)}: ${ending}\n`);
  });
});

test("nothing waits for the reply to QUIT", async () => {
  const server = await startServer({ files, on: { QUIT: stall } });
  server.on("RETR", transfer({ pause: { after: 1000, until: never } }));
  const hook = fileURLToPath(new URL("support/slow-timers.cjs", import.meta.url));
  const env = { NODE_OPTIONS: `--require=${hook}` };
  const program = await startProgram([server.url("/x")], { env });
  await partOf(program, 1000);
  // A wait of a second, as at the end of a run, would take a minute here.
  await interrupted(program);
  await received(server, "QUIT");
});

test("two signals at once, as from a terminal and its shell, are one", async () => {
  const server = await startServer({ files });
  server.on("RETR", transfer({ pause: { after: 1000, until: never } }));
  const program = await startProgram([server.url("/x")]);
  await partOf(program, 1000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) program.child.kill(signal);
  expect((await program.finished).stderr.match(/: stopped at /g)).toHaveLength(1);
});

test("nothing stays of the file of -O if its last document is interrupted", async () => {
  const server = await startServer({ files, on: { "RETR#2": stall } });
  const program = await startProgram(["-O", "all", server.url("/x"), server.url("/y")]);
  await received(server, "RETR y");
  expect(readdirSync((await interrupted(program)).cwd)).toEqual([]);
});

test("a file that is whole when the signal comes gets its name", async () => {
  const server = await startServer({ files });
  const isRead = new Gate();
  server.on("RETR", transfer({ end: "both", completion: [() => isRead.open(), stall] }));
  const program = await startProgram([server.url("/y"), server.url("/x")]);
  await isRead.opened;
  const result = await interrupted(program);
  expect(result.stderr).toContain(`ftpull: ${server.url("/x")}: interrupted by SIGINT\n`);
  expect(readFileSync(join(result.cwd, "y"), "latin1")).toBe("y");
  expect(readdirSync(result.cwd)).toEqual(["y"]);
});
