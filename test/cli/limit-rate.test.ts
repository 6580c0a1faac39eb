import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../support/run.ts";
import { startServer } from "../support/start-server.ts";

test("a document of 3 s at the limit takes 3 s, however fast the server is", async () => {
  const size = 3 * 400 * 1024;
  const server = await startServer({ files: { "x.bin": { size, seed: 1 } } });
  const idle = await timed(["-q", "-O", "/dev/null", server.url("/x.bin")]);
  const limited = await timed(["-q", "--limit-rate", "400k", server.url("/x.bin")]);
  expect(statSync(join(limited.cwd, "x.bin")).size).toBe(size);
  const seconds = limited.seconds - idle.seconds;
  expect(seconds).toBeGreaterThan(2.7);
  expect(seconds).toBeLessThan(3.3);
});

test("two documents share the limit, and waiting is no timeout", async () => {
  const server = await startServer({ files: { a: "a", b: "b" } });
  const args = ["-q", "-T", "0.7", "--limit-rate", "1"];
  const { seconds, status, stderr } = await timed([...args, server.url("/a"), server.url("/b")]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(seconds).toBeGreaterThan(1.9);
});

async function timed(args: string[]) {
  const began = performance.now();
  const result = await run(args);
  return { ...result, seconds: (performance.now() - began) / 1000 };
}
