/** --speed-limit and --speed-time: a transfer that is too slow is tried again, and resumed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { run, runInRealTime } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

const size = 100_000;
const files = { x: { size, seed: 1 } };

test.each([
  [
    "sends nothing more",
    "--speed-limit=1k",
    transfer({ first: 50_000, end: "stall" }),
    "no data for 1 s",
    run,
  ],
  [
    "trickles",
    "-Y1000000",
    transfer({ rate: 20_000 }),
    "slower than 977 KiB/s for 1 s",
    runInRealTime,
  ],
])("a server that %s is tried again, and resumed", async (_claim, limit, slow, why, fetch) => {
  const server = await startServer({ files, on: { "RETR#1": slow } });
  const words = [limit, "--speed-time=1", "--waitretry=0", server.url("/x")];
  const { status, stderr, cwd } = await fetch(words);
  expect(stderr).toContain(`/x: ${why}; trying again in `);
  expect(server.commands).toContainEqual(expect.stringMatching(/^REST [1-9]/));
  expect(readFileSync(join(cwd, "x"))).toEqual(generatedOctets(1, 0, size));
  expect(status).toBe(0);
});

test("the time of --limit-rate is not counted", async () => {
  const server = await startServer({ files: { x: "text" } });
  const words = ["-q", "-t1", "--limit-rate=1", "--speed-limit=1G", "--speed-time=2"];
  const result = await run([...words, "-O-", server.url("/x")]);
  expect(result).toMatchObject({ status: 0, stdout: "text", stderr: "" });
});
