/** Each document ends in one result, which says what became of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Result } from "../../src/documents/result.ts";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { run } from "../../src/run/run.ts";
import { Messages } from "../../src/terminal/messages.ts";
import { close, transfer } from "../support/actions.ts";
import { startServer } from "../support/start-server.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

vi.mock("../../src/run/interruptions.ts", () => ({
  interruptions: () => new AbortController().signal,
}));

class Recorder extends Messages {
  readonly results: Result[] = [];

  constructor() {
    const stream = { write: () => {}, on: () => {}, off: () => {} };
    const decode = (octets: string): string => octets;
    super({ stream, level: "quiet", progress: "none", decode, now: () => 0, debug: false });
  }

  override result(result: Result): void {
    this.results.push(result);
  }
}

async function resultsOf(words: readonly string[]): Promise<{ status: number; results: Result[] }> {
  const commandLine = parseCommandLine(["--no-netrc", "--no-input", ...words]);
  if (commandLine.action !== "run") throw new Error("the command line asks for no run");
  const messages = new Recorder();
  const status = await run(commandLine.settings, messages);
  return { status, results: messages.results };
}

const modified = new Date("2024-05-06T12:00:00Z");
const files = { x: { content: "0123456789", modified }, y: "y" };
const sha256 = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";

test("a document that is here has its file, its facts and the checksum by which it was verified", async () => {
  const server = await startServer({ files });
  const directory = await temporaryDirectory();
  const words = ["--checksum", `sha256:${sha256}`, "-P", directory, server.url("/x")];
  expect(await resultsOf(words)).toEqual({
    status: 0,
    results: [
      {
        url: server.url("/x"),
        status: "done",
        exit: 0,
        file: join(directory, "x"),
        octets: 10,
        seconds: expect.any(Number),
        resumed: 0,
        size: 10,
        modified,
        sha256,
        verified: {
          algorithm: "sha256",
          value: sha256,
          source: "--checksum",
          label: "--checksum",
        },
      },
    ],
  });
});

test("what an earlier run had brought is told, and a whole file as well", async () => {
  const server = await startServer({ files });
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, "x"), "01234");
  const words = ["-c", "-P", directory, server.url("/x")];
  for (const resumed of [5, 10])
    expect((await resultsOf(words)).results).toMatchObject([
      { status: "done", octets: 10, resumed, size: 10 },
    ]);
});

test("a document whose transfer broke in this run wasn't resumed by it", async () => {
  const server = await startServer({ files, on: { "RETR#1": transfer({ first: 4 }) } });
  const words = ["-P", await temporaryDirectory(), server.url("/x")];
  expect((await resultsOf(words)).results).toMatchObject([{ octets: 10, resumed: 0 }]);
});

test("skipped documents say why, the others why they failed, and the status is that of all", async () => {
  const server = await startServer({ files, on: { "greeting#2": ["421 full", close] } });
  const directory = await temporaryDirectory();
  writeFileSync(join(directory, "x"), "here");
  const urls = ["http://h/", server.url("/x"), server.url("/none;type=i")];
  const { status, results } = await resultsOf(["-nc", "-P", directory, ...urls]);
  const exists = { status: "skipped", reason: "exists", exit: 0, file: join(directory, "x") };
  expect(results).toMatchObject([
    { url: "http://h/", status: "failed", exit: 2, error: { kind: "usage" } },
    { url: server.url("/x"), ...exists },
    { url: server.url("/none;type=i"), status: "failed", exit: 8, error: { kind: "refused" } },
  ]);
  expect(status).toBe(2);
});

test("-N skips what is unchanged", async () => {
  const server = await startServer({ files });
  const words = ["-N", "-P", await temporaryDirectory(), server.url("/x")];
  const statuses = [];
  for (let run = 0; run < 2; run++) statuses.push((await resultsOf(words)).results[0]);
  expect(statuses).toMatchObject([{ status: "done" }, { status: "skipped", reason: "unchanged" }]);
});
