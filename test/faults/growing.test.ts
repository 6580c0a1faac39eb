/**
 * A document that grows while it is fetched, as a log does: it ends at the SIZE that was asked for
 * last. One that was replaced by a longer one isn't taken for one that has grown.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import type { RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { ChangingFile } from "./support/changing-file.ts";

const first = 100_000;
const growth = 4000;

const log = (length: number): Buffer => generatedOctets(1, 0, length);

function expectFile({ status, stderr, cwd }: RunResult, octets: Buffer, folder = ""): void {
  expect(status, stderr).toBe(0);
  expect(readdirSync(join(cwd, folder))).toEqual(["x"]);
  const got = readFileSync(join(cwd, folder, "x"));
  expect(got.length, stderr).toBe(octets.length);
  expect(got.equals(octets)).toBe(true);
}

const retrievals = ({ commands }: ScriptedServer): string[] =>
  commands.filter((line) => /^(REST|RETR)/.test(line));

describe("a log that grows with each of its transfers", () => {
  const growing = async (size: number): Promise<ScriptedServer> => {
    const file = new ChangingFile(log(size));
    return file.serve({
      RETR: async (exchange) => {
        file.change(log(file.octets.length + growth));
        await file.send()(exchange);
      },
    });
  };

  test("ends at the SIZE that was asked for last", async () => {
    const server = await growing(first);
    const result = await run(["-t", "1", server.url("/d/x")]);
    expectFile(result, log(first + growth));
    expect(result.stderr).toContain(
      `the document has grown to ${first + 3 * growth} octets: the first ${first + growth} are saved`,
    );
    const restart = `REST ${first - 4096}`;
    expect(retrievals(server)).toEqual(["RETR x", "RETR x", restart, "RETR x"]);
  });

  test("also a short one, one on standard output, and one that comes in segments", async () => {
    const short = await growing(1000);
    expectFile(await run([short.url("/d/x")]), log(1000 + growth));
    const printed = await run(["-O", "-", (await growing(first)).url("/d/x")]);
    expect(printed.status, printed.stderr).toBe(0);
    expect(printed.stdoutBytes.equals(log(first + growth))).toBe(true);
    const large = await growing(2 ** 22);
    const result = await run(["-s", "2", large.url("/d/x")]);
    expect(result.status, result.stderr).toBe(0);
    const got = readFileSync(join(result.cwd, "x"));
    expect(got.equals(log(got.length))).toBe(true);
    expect(got.length).toBeGreaterThanOrEqual(2 ** 22);
  });

  test("doesn't keep a tree from ending", async () => {
    const server = await growing(first);
    const result = await run(["-r", server.url("/d/")]);
    expectFile(result, log(first + growth), "d");
  });
});

describe("a file that is replaced by a longer one of other content", () => {
  const [old, other] = [log(first), generatedOctets(2, 0, first + growth)];

  test("between SIZE and RETR: the new one is saved whole", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(other), file.send()(exchange)),
    });
    expectFile(await run([server.url("/d/x")]), other);
  });

  test("in place, while it is sent: it begins again", async () => {
    const file = new ChangingFile(old);
    const mixture = Buffer.concat([old.subarray(0, first / 2), other.subarray(first / 2)]);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(other), transferFrom(mixture)(exchange)),
    });
    const result = await run([server.url("/d/x")]);
    expectFile(result, other);
    expect(result.stderr).toContain("what is here is not the beginning of the document");
  });

  test("between the transfers of a log: it begins again", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(log(first + 1)), file.send()(exchange)),
      "SIZE#2": ({ session }) => (file.change(other), session.reply(`213 ${other.length}`)),
    });
    expectFile(await run([server.url("/d/x")]), other);
  });

  test("by renaming, while it is sent: the old one is saved", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(other), transferFrom(old)(exchange)),
    });
    expectFile(await run([server.url("/d/x")]), old);
    expect(retrievals(server)).toEqual(["RETR x"]);
  });

  test("each time that it is asked for: it fails after the tries", async () => {
    const file = new ChangingFile(old);
    let seed = 3;
    const server = await file.serve({
      RETR: (exchange) => {
        file.change(generatedOctets(seed++, 0, file.octets.length + growth));
        return file.send()(exchange);
      },
    });
    const { status, cwd } = await run(["-t", "3", server.url("/d/x")]);
    expect(status).toBe(9);
    expect(readdirSync(cwd)).not.toContain("x");
    expect(retrievals(server).length).toBeLessThan(20);
  });
});

test("a server whose SIZE is too small is no server with a log", async () => {
  const file = new ChangingFile(log(first));
  const server = await file.serve({ RETR: transferFrom(log(first + growth)) });
  const { status, stderr, cwd } = await run(["-t", "3", server.url("/d/x")]);
  expect(status, stderr).toBe(9);
  expect(stderr).toContain(`expected ${first} octets, received more`);
  expect(readdirSync(cwd)).not.toContain("x");
});

test.each([
  [100, 150],
  [0, 50],
])("a SIZE that grows, but not to what is sent, is too small: %i, %i", async (before, after) => {
  const file = new ChangingFile(log(before));
  const sent = transferFrom(log(9000));
  const server = await file.serve({
    "RETR#1": (exchange) => (file.change(log(after)), sent(exchange)),
    RETR: sent,
  });
  const { status, stderr, cwd } = await run(["-t", "3", server.url("/d/x")]);
  expect(status, stderr).toBe(9);
  expect(stderr).toContain(`expected ${after} octets, received more`);
  expect(readdirSync(cwd)).not.toContain("x");
});

test("a file that was empty when its SIZE was asked for is saved whole", async () => {
  const file = new ChangingFile(log(0));
  const server = await file.serve({
    "RETR#1": (exchange) => (file.change(log(first)), file.send()(exchange)),
  });
  expectFile(await run([server.url("/d/x")]), log(first));
});
