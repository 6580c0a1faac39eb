/** --verify by what the server computes (HASH): where that lies, falls silent or is no checksum. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { close, stall } from "../support/actions.ts";
import { localFiles } from "../support/local-tree.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import { startServer } from "../support/start-server.ts";

const sum = (algorithm: string, text: string): string =>
  createHash(algorithm).update(text).digest("hex");
const right = `213 SHA-256 0-3 ${sum("sha256", "one")} a`;
const wrong = `213 SHA-256 0-3 ${sum("sha256", "two")} a`;

async function verified(
  on: Record<string, Action>,
  words: readonly string[] = [],
  { files = {}, ...options }: ServerOptions = {},
) {
  const features = ["SIZE", "MDTM", "MLST type*;size*;modify*;", "HASH SHA-256*"];
  const all = { "pub/a": "one", ...files };
  const server = await startServer({ files: all, features, on, ...options });
  const urls = words.includes("-r") ? ["/pub/"] : ["/pub/a"];
  const args = [
    "--verify",
    "-t1",
    "--progress=plain",
    ...words,
    ...urls.map((one) => server.url(one)),
  ];
  const { status, stderr, cwd } = await run(args);
  const asked = (verb: string) => server.commands.filter((line) => line.startsWith(`${verb} `));
  return { status, stderr: stderr.replaceAll(server.url("/"), "/"), files: localFiles(cwd), asked };
}

test("the server's checksum verifies what it sent", async () => {
  const { status, stderr, files } = await verified({ HASH: right });
  expect({ status, files }).toEqual({ status: 0, files: { a: "one" } });
  expect(stderr).toMatch(/^a: 3 B.* verified by sha256 of the server \(HASH\)$/m);
});

test("one that differs is asked for again, and then exit 9", async () => {
  const { status, stderr, files, asked } = await verified({ HASH: wrong });
  expect({ status, files }).toEqual({ status: 9, files: {} });
  expect(stderr).toContain(
    `expected sha256 ${sum("sha256", "two")}, found ${sum("sha256", "one")}`,
  );
  expect(asked("HASH")).toHaveLength(2);
});

test("one that differs because the file was just replaced is right the second time", async () => {
  const { status, asked } = await verified({ "HASH#1": wrong, HASH: wrong, "HASH#2": right });
  expect(status).toBe(0);
  expect(asked("RETR")).toEqual(["RETR a", "RETR a"]);
});

test("a publisher's list comes first, however weak: the server tells what it has, damaged or not", async () => {
  const MD5SUMS = `${sum("md5", "other")}  a\n`;
  const { status, files, asked } = await verified({ HASH: right }, [], {
    files: { "pub/MD5SUMS": MD5SUMS },
  });
  expect({ status, files }).toEqual({ status: 9, files: {} });
  expect(asked("HASH")).toEqual([]);
});

describe.each<[claim: string, action: Action]>([
  ["of another range", `213 SHA-256 0-1 ${sum("sha256", "on")} a`],
  ["of another file", `213 SHA-256 0-3 ${sum("sha256", "one")} b`],
  ["by another algorithm", `213 MD5 0-3 ${sum("md5", "one")} a`],
  ["without digits", "213 SHA-256 0-3 a"],
  ["refused", "550 no"],
  ["refused for now", "450 busy"],
])("a reply %s is no checksum", (_claim, action) => {
  test("which is said", async () => {
    const { status, stderr, files } = await verified({ HASH: action });
    expect({ status, files }).toEqual({ status: 0, files: { a: "one" } });
    expect(stderr).toContain("/pub/a: no checksum was found: not verified\n");
    expect(stderr).not.toContain("sha256");
  });

  test("and with --verify-all exit 9", async () => {
    const { status, files } = await verified({ HASH: action }, ["--verify-all"]);
    expect({ status, files }).toEqual({ status: 9, files: {} });
  });
});

test.each<[claim: string, action: Action]>([
  ["never answers", stall],
  ["hangs up", close],
  ["ends the session", ["421 too slow", close]],
  ["sends no reply", "\u0000garbage"],
])("a server that %s costs no try, and the documents come unverified", async (_claim, action) => {
  const options = ["-r", "-T2"];
  const files = { "pub/b": "two" };
  const result = await verified({ HASH: action }, options, { files });
  expect(result.status).toBe(0);
  expect(result.files).toEqual({ "pub/a": "one", "pub/b": "two" });
  expect(result.stderr).toContain("going on without its checksums");
  expect(result.stderr).toContain("2 without a checksum");
  expect(result.asked("HASH")).toHaveLength(1);
  expect(result.asked("USER")).toHaveLength(2);
});
