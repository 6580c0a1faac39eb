/**
 * Servers that do harm, or nothing right: every run ends within its time limits, with one clear
 * line, the right status, and nothing on disk that isn't the document.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { close, stall, transfer } from "../support/actions.ts";
import { type RunResult } from "../support/run.ts";
import { run, runInRealTime } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";
import { floodData, floodReplies } from "./support/hostile.ts";

const text = "0123456789";

/** Fetches `x`, of ten octets, from a server with this script; URL stands for its URL. */
async function fetch(
  on: Record<string, Action>,
  options: string[] = [],
  path = "/x",
): Promise<RunResult> {
  const server = await startServer({ files: { x: text }, on });
  const url = server.url(path);
  const result = await run(["--progress", "none", "-t", "1", ...options, url]);
  const stderr = result.stderr.replaceAll(url, "URL").replaceAll(server.url(), "DIRECTORY");
  return { ...result, stderr };
}

/** For a server that falls silent. */
const impatient = ["-T", "3"];

/** The names and contents of the files that a run has left. */
function filesOf({ cwd }: RunResult): Record<string, string> {
  const names = readdirSync(cwd).filter((name) => !name.endsWith(".ftpull"));
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(cwd, name), "utf8")]));
}

type Failure = [
  claim: string,
  on: Record<string, Action>,
  status: number,
  line: string,
  hint?: string,
];

const dripping: Step = async ({ session: { control } }) => {
  for (; control.tcp.writable; await delay(50)) await control.send(Buffer.from("2"));
};

const waits = (code: number): string => `${code} wait\r\n`.repeat(40);
const endless = "the server sent an endless reply";
const preliminary = "the server goes on sending preliminary replies";
const notFtp = 'the server doesn\'t speak FTP: "HTTP/1.1 408 no"';

describe("no document comes from", () => {
  it.each<Failure>([
    ["an HTTP server", { greeting: ["HTTP/1.1 408 no", "", close] }, 7, notFtp],
    ["a reply line without an end", { greeting: floodReplies("2") }, 7, endless],
    ["a reply of lines without an end", { USER: floodReplies("331-more\r\n") }, 7, endless],
    [
      "preliminary replies without an end",
      { greeting: `${waits(120)}220 at last` },
      7,
      preliminary,
    ],
    [
      "preliminary replies and no data",
      { RETR: [`${waits(150)}150 still`, stall] },
      7,
      preliminary,
    ],
    [
      "EPSV and PASV with garbage",
      { EPSV: "229 (|||ftp|)", PASV: "227 ()" },
      7,
      'cannot open a data connection: server replied 227 "()"',
    ],
    [
      "226 without data",
      { RETR: ["150 Here", "226 That was it", stall] },
      4,
      "no data for 3 s: expected 10 bytes, received 0",
    ],
    [
      "a CWD and a RETR refused for good",
      { RETR: "550 \x1b[31mno\x07\0 \u202e such\u009b file" },
      8,
      'cannot retrieve "x": server replied 550 "\\x1b[31mno\\x07\\x00 \\u202e such\\x9b file"',
      "list the directory: DIRECTORY",
    ],
  ])("%s", async (_claim, on, status, line, hint) => {
    const result = await fetch(on, impatient);
    const hints = hint === undefined ? "" : `hint: ${hint}\n`;
    expect(result.stderr).toBe(`ftpull: URL: ${line}\n${hints}`);
    expect(result.status).toBe(status);
    expect(filesOf(result)).not.toHaveProperty("x");
  });
});

it("a greeting that comes octet by octet and never ends is given up in time", async () => {
  const server = await startServer({ on: { greeting: dripping } });
  const { status, stderr } = await runInRealTime(["-t1", "-T1", server.url("/x")]);
  expect(stderr).toBe(`ftpull: ${server.url("/x")}: the server sent no reply for 1 s\n`);
  expect(status).toBe(4);
});

const unended = transfer({ early: true, end: "stall", completion: "226 Done" });
const resetting = transfer({ end: "reset" });
const broke = "the data connection broke: connection reset by peer";
const waiting = transfer({ completion: floodReplies("150 wait\r\n") });
const garbling = transfer({ completion: "\0\x1b[2J" });

describe("the document comes in spite of", () => {
  it.each<[claim: string, on: Record<string, Action>, note?: string]>([
    ["226 before the data", { RETR: transfer({ early: true }) }],
    ["226 in place of 150", { RETR: transfer({ preliminary: "226 Done", completion: [] }) }],
    ["a data connection that isn't ended after 226", { RETR: unended }, "no data for 3 s"],
    ["a data connection that is reset behind the last octet", { RETR: resetting }, broke],
    ["preliminary replies without end in place of 226", { RETR: waiting }, preliminary],
    ["garbage in place of 226", { RETR: garbling }, "the server sent no reply for 3 s"],
    ["EPSV with garbage", { EPSV: "229 Entering \x1b[2J(((|||70000|)" }],
    [
      "a greeting of control characters",
      { greeting: "220-\x1b[2J\0\r\n\x07\r\n220 \x1b]0;no\x07" },
    ],
  ])("%s", async (_claim, on, note) => {
    const result = await fetch(on, impatient);
    const expected = note === undefined ? "" : `ftpull: URL: all 10 bytes arrived, but ${note}\n`;
    expect(result.stderr).toBe(expected);
    expect(result.status).toBe(0);
    expect(filesOf(result)).toEqual({ x: text });
  });
});

describe("unsolicited replies without end", () => {
  it.each<[claim: string, on: Record<string, Action>]>([
    ["in place of an answer", { TYPE: floodReplies("200 Sure\r\n") }],
    ["during the data", { RETR: ["150 Here", floodReplies("226 Done\r\n")] }],
  ])("%s end in failure", async (_claim, on) => {
    const result = await fetch(on, impatient);
    expect(result.stderr).toMatch(/^(?:ftpull: [^\n]+\n){1,2}$/);
    expect([4, 6, 7, 8, 9]).toContain(result.status);
    expect(filesOf(result)).not.toHaveProperty("x");
  });
});

it("a listing with a line of 100 MB fails", async () => {
  const result = await fetch({ MLSD: floodData(Buffer.alloc(1024 * 1024, "a"), 1e8) }, [], "/");
  const words = "cannot read the listing: a line is longer than 65536 bytes";
  expect(result).toMatchObject({ stderr: `ftpull: URL: ${words}\n`, status: 7, stdout: "" });
});
