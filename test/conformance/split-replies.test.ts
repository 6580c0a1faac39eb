/**
 * TCP cuts a stream where it likes. Each run of a whole session, with every kind of reply, has
 * its replies parted before another octet, and nothing may come of it.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { run } from "../../src/run/run.ts";
import { Messages } from "../../src/terminal/messages.ts";
import { decoderFor } from "../../src/text/encoding.ts";
import { isLong } from "../support/long.ts";
import type { ServerOptions } from "../support/options.ts";
import type { Exchange } from "../support/script.ts";
import { ScriptedServer } from "../support/scripted-server.ts";
import { withoutTotal } from "../support/total.ts";
import { commonOptions } from "./support/client.ts";

// The program waits for some replies for a second only, in which a busy machine may do nothing.
process.env["TIMERS"] = "60";
createRequire(import.meta.url)("../support/waits.cjs");

// Hundreds of runs in one process would each wait for the signals that end it.
vi.mock("../../src/run/interruptions.ts", () => ({
  interruptions: () => new AbortController().signal,
}));

/** Replies of every class and form: in several lines, with texts that look like codes, refusals. */
const server: ServerOptions = {
  files: { 'h"m/a/x': "ax", 'h"m/a/b/y': "aby", 'h"m/z': "z" },
  loginDirectory: '/h"m',
  users: { jane: { password: "secret", account: "sales" } },
  on: {
    greeting: [
      "120 in a moment",
      "220-welcome\r\n  220 not yet\r\n220-\r\n226 nor now\r\n220 ready",
    ],
    HOST: "504 unknown host",
    USER: [heedUser, "331-who is there?\r\n331 password"],
    "EPSV#2": "500-what?\r\n500 is that",
    "TYPE E": "504-not\r\n504 here",
    "RETR b": "550-no file,\r\n 551 but\r\n550 a directory",
  },
};

/** What a good server does before it asks for the password. */
function heedUser({ argument, session }: Exchange): void {
  session.user = argument;
}

/** A file, a directory, one that pretends to be a file, a way that doesn't exist, a type that isn't known. */
const paths = ["/a/x", "/a/", "/a/b", "/none/y", "/z;type=e"];

interface Outcome {
  readonly status: number;
  readonly document: string;
  /** Warnings, failures and hints. */
  readonly said: readonly string[];
  /** The dialogue as --verbose shows it; replies come into it when they arrive. */
  readonly dialogue: readonly string[];
  readonly commands: readonly string[];
}

interface Visit extends Outcome {
  /** How long the stream of replies was. */
  readonly octets: number;
}

async function visit(options: ServerOptions): Promise<Visit> {
  await using visited = await ScriptedServer.start({ ...server, ...options });
  const directory = await mkdtemp(join(tmpdir(), "ftpull-split-"));
  const file = join(directory, "document");
  try {
    const { status, messages } = await fetchAll(visited, file);
    // Octets a second are not the same in two runs.
    const lines = withoutPorts(withoutTotal(messages), visited).split("\n");
    return {
      status,
      said: lines.filter((line) => !isDialogue(line)),
      dialogue: lines.filter(isDialogue),
      document: await readFile(file, "utf8"),
      commands: visited.commands,
      octets: visited.connections[0]?.sentOctets ?? 0,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function fetchAll(
  visited: ScriptedServer,
  file: string,
): Promise<{ status: number; messages: string }> {
  const urls = paths.map((path) => visited.url(path, { user: "jane", password: "secret" }));
  const words = [
    "-v",
    "--progress=none",
    "--no-netrc",
    "--no-input",
    "--account=sales",
    "-O",
    file,
  ];
  const commandLine = parseCommandLine([...commonOptions, ...words, ...urls]);
  if (commandLine.action !== "run") throw new Error("the command line asks for no run");
  let text = "";
  const messages = new Messages({
    stream: { write: (chunk) => (text += chunk), on: () => {}, off: () => {} },
    level: "verbose",
    progress: "none",
    decode: decoderFor(undefined),
    now: () => 0,
    debug: false,
  });
  const status = await run(commandLine.settings, messages);
  return { status, messages: text };
}

const isDialogue = (line: string): boolean => /^[<>] /.test(line);

/** Ports are all that differs between two runs. */
function withoutPorts(text: string, { port }: ScriptedServer): string {
  return text.replaceAll(`:${port}/`, ":PORT/").replaceAll(/\d+,\d+\)|\|\d+\|/g, "PORT");
}

/** The places to part the replies at: all of them, or as many as `npm test` can wait for. */
function placesIn(octets: number): number[] {
  const places = Array.from({ length: octets - 1 }, (_, index) => index + 1);
  const step = isLong ? 1 : Math.ceil(places.length / bounded);
  return places.filter((place) => place % step === 0);
}

const bounded = 200;

/** So many runs at once keep the processor busy while others wait for a gap. */
const lanes = 8;

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const lane = async (): Promise<void> => {
    for (let item; (item = rest.shift()) !== undefined;) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

it("S1 P4 P8 a reply that arrives in two parts is the same reply, wherever it is cut", async () => {
  const { octets, ...whole } = await visit({});
  expect(whole.document).toBe("axx\nb/\nz");
  expect(whole.status).toBe(8);
  const places = placesIn(octets);
  await inLanes(places, async (split) => {
    const { octets: _, ...outcome } = await visit({ split });
    expect(outcome, `parted before octet ${split}`).toEqual(whole);
  });
}, 600_000);
