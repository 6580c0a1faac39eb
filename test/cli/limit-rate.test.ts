import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";

test("two documents share the limit, one octet of two a second", async () => {
  const server = await startServer({ files: { a: "a", b: "b" } });
  const { stderr } = await run(["--limit-rate", "1", server.url("/a"), server.url("/b")]);
  expect(stderr).toMatch(/total: 2 files, 2 B in 2s \(1 B\/s\)\n$/);
});

test("waiting is no timeout", async () => {
  const server = await startServer({ files: { a: "0123456789" } });
  const args = ["-q", "-t", "1", "-T", "4", "--limit-rate", "1", server.url("/a")];
  expect(await run(args)).toMatchObject({ status: 0, stderr: "" });
});
