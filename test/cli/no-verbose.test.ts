/** -nv: one line for each document, when it has arrived, and none while it runs. */
import { expect, test } from "vitest";
import { run } from "../support/run-here.ts";
import { startServer } from "../support/start-server.ts";
import { withoutTotal } from "../support/total.ts";

const files = { a: { size: 2048, seed: 1 }, b: "text" };

test.each([["-nv"], ["--no-verbose"]])("%s prints a line for each document", async (option) => {
  const server = await startServer({ files });
  const words = [option, "--progress", "bar", server.url("/a"), server.url("/b"), server.url("/")];
  const { status, stdout, stderr } = await run(words);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "a\nb\n" });
  const [a = "", b = "", ...others] = withoutTotal(stderr).split("\n");
  expect(a).toMatch(/^a: 2\.0 KiB from (\S+) in \d/);
  expect(a).toContain(server.url("/a"));
  expect(b).toMatch(/^b: 4 B from (\S+) in \d/);
  expect(others).toEqual([""]);
});

test("a bar that was asked for is plain lines where standard error is no terminal", async () => {
  const server = await startServer({ files });
  const { stderr } = await run(["-q", "--progress", "bar", server.url("/b")]);
  expect(stderr).toMatch(/^b: fetching 4 B from .*\nb: 4 B in .*\n$/);
});
