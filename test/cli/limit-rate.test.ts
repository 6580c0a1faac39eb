import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";
import { countedWaits, waitsTimes } from "../support/waits.ts";

test("a document of 3 s at the limit takes 3 s, however fast the server is", async () => {
  const size = 3 * 400 * 1024;
  const server = await startServer({ files: { "x.bin": { size, seed: 1 } } });
  const args = ["--progress", "plain", "--limit-rate", "400k", server.url("/x.bin")];
  const { stderr, cwd } = await run(args, { env: countedWaits });
  expect(statSync(join(cwd, "x.bin")).size).toBe(size);
  expect(stderr).toMatch(/ in 3s \(400 KiB\/s\)\n$/);
});

test("two documents share the limit, one octet of two a second", async () => {
  const server = await startServer({ files: { a: "a", b: "b" } });
  const args = ["-q", "--limit-rate", "1", server.url("/a"), server.url("/b")];
  const began = performance.now();
  expect(await run(args)).toMatchObject({ status: 0, stderr: "" });
  expect(performance.now() - began).toBeGreaterThan(1900);
});

test("waiting is no timeout", async () => {
  const server = await startServer({ files: { a: "ab" } });
  const args = ["-q", "-t", "1", "-T", "4", "--limit-rate", "1", server.url("/a")];
  expect(await run(args, { env: waitsTimes(5) })).toMatchObject({ status: 0, stderr: "" });
});
