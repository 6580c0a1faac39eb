/** A file that grows while it is fetched, as a log does, is whole with what the server had at the end; one that changes otherwise begins again. */
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
  expect(readFileSync(join(cwd, folder, "x")).equals(octets), stderr).toBe(true);
}

describe("a log that grows with each of its transfers", () => {
  const growing = (size: number): Promise<ScriptedServer> => {
    const file = new ChangingFile(log(size));
    return file.serve({
      RETR: async (exchange) => {
        file.change(log(file.octets.length + growth));
        await file.send()(exchange);
      },
    });
  };

  test("is saved as far as it was sent, in one transfer", async () => {
    const server = await growing(first);
    const result = await run(["-t", "1", server.url("/d/x")]);
    expectFile(result, log(first + growth));
    expect(result.stderr).toContain(`the file has grown to ${first + growth} bytes`);
    expect(server.sent("RETR")).toEqual(["RETR x"]);
  });
});

describe("a file that is replaced by a longer one", () => {
  const [old, other] = [log(first), generatedOctets(2, 0, first + growth)];

  test("between SIZE and RETR: the new one is saved whole", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(other), file.send()(exchange)),
    });
    expectFile(await run([server.url("/d/x")]), other);
    expect(server.sent("RETR")).toEqual(["RETR x"]);
  });

  test("by renaming, while it is sent: the old one is saved", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(other), transferFrom(old)(exchange)),
    });
    expectFile(await run([server.url("/d/x")]), old);
  });

  test("between two tries: it begins again", async () => {
    const file = new ChangingFile(old);
    const server = await file.serve({
      "RETR#1": async (exchange) => {
        await file.send({ first: 70_000, completion: "426 Cut" })(exchange);
        file.change(other);
      },
    });
    const result = await run([server.url("/d/x")]);
    expectFile(result, other);
    expect(result.stderr).toContain("the file has changed on the server; beginning again");
  });
});

test("a file that is replaced by a shorter one, of which more came, begins again", async () => {
  const file = new ChangingFile(log(first));
  const server = await file.serve({
    "RETR#1": (exchange) => (file.change(log(50)), transferFrom(log(first + 1))(exchange)),
  });
  expectFile(await run([server.url("/d/x")]), log(50));
});

test.each([
  [first, first],
  [100, 150],
  [1, 50],
])("a SIZE of %i, and then %i, is too small: the file isn't whole", async (before, after) => {
  const file = new ChangingFile(log(before));
  const sent = transferFrom(log(first + growth));
  const server = await file.serve({
    "RETR#1": (exchange) => (file.change(log(after)), sent(exchange)),
    RETR: sent,
  });
  const { status, stderr, cwd } = await run(["-t", "2", server.url("/d/x")]);
  expect(status, stderr).toBe(9);
  expect(stderr).toContain(`expected ${after} bytes, received ${first + growth}`);
  expect(readdirSync(cwd)).not.toContain("x");
});

test("a file that was empty when its SIZE was asked for is saved whole", async () => {
  const file = new ChangingFile(log(0));
  const server = await file.serve({
    "RETR#1": (exchange) => (file.change(log(first)), file.send()(exchange)),
  });
  expectFile(await run([server.url("/d/x")]), log(first));
});
