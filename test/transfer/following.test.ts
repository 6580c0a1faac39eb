/**
 * Small files on one connection: what the next one needs travels with RETR, once the server has
 * shown that it answers what is sent during a transfer after it.
 */
import { describe, expect, test } from "vitest";
import { transfer } from "../support/actions.ts";
import type { ServerOptions } from "../support/options.ts";
import { run } from "../support/run.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const files = { w: "w.", x: "xx.", y: "yyy.", z: "zzzz." };
const names = Object.keys(files);

/** Fetches all files over one connection, and expects them to be whole. */
async function fetchAll(
  { on = {}, files: served = files }: { on?: ServerOptions["on"]; files?: Record<string, string> },
  words: readonly string[] = [],
) {
  const server = await startServer({ files: served, on });
  const urls = names.map((name) => server.url(`/${name}`));
  const result = await run([...words, "-O", "-", "--progress", "none", ...urls]);
  const stdout = Object.values(served).join("");
  expect(result).toMatchObject({ status: 0, stdout });
  return { server, stderr: result.stderr };
}

/** What the server had received when it began to answer the n-th RETR. */
function withRetrieval(server: ScriptedServer, name: string): string[] {
  const lines = server.transcript().split("\n");
  const from = lines.indexOf(`C> RETR ${name}`);
  const to = lines.findIndex((line, index) => index > from && line.startsWith("S> "));
  return lines.slice(from + 1, to).map((line) => line.slice("C> ".length));
}

const needs = (name: string): string[] => [`SIZE ${name}`, `MDTM ${name}`, "EPSV"];

describe("a server that answers in order", () => {
  test("is asked once, then gets what follows with RETR: two round trips a file", async () => {
    const { server, stderr } = await fetchAll({});
    expect(names.map((name) => withRetrieval(server, name))).toEqual([
      ["NOOP"],
      needs("y"),
      needs("z"),
      [],
    ]);
    expect(stderr).toBe("");
  });

  test("needn't know NOOP", async () => {
    const { server } = await fetchAll({ on: { NOOP: "502 no NOOP" } });
    expect(withRetrieval(server, "x")).toEqual(needs("y"));
  });

  test("gets the way to another directory in the same write", async () => {
    const tree = { "a/x": "x", "a/y": "y", "b/z": "z", last: "l" };
    const server = await startServer({ files: tree });
    const urls = Object.keys(tree).map((path) => server.url(`/${path}`));
    expect(await run(["-q", ...urls])).toMatchObject({ status: 0 });
    expect(withRetrieval(server, "y")).toEqual(["CWD /", "CWD b", ...needs("z")]);
  });

  test("whose transfer breaks is asked for the same file again", async () => {
    const broken = transfer({ first: 1, end: "reset", completion: "426 broken" });
    const { server, stderr } = await fetchAll({ on: { "RETR#2": broken } });
    expect(withRetrieval(server, "x")).toEqual(needs("y"));
    expect(stderr).toContain("/x: cannot retrieve");
    expect(server.connections).toHaveLength(1);
  });
});

describe("a server that answers during a transfer", () => {
  test.each([
    ["before its end", transfer({ completion: ["200 at once", "226 done"] })],
    ["before its beginning", transfer({ preliminary: ["200 at once", "150 here it comes"] })],
    ["that it knows no NOOP", transfer({ completion: ["500 unknown command", "226 done"] })],
  ])("%s gets one document after the other", async (_when, action) => {
    const { server, stderr } = await fetchAll({ on: { "RETR#1": action, NOOP: [] } });
    expect(names.map((name) => withRetrieval(server, name))).toEqual([["NOOP"], [], [], []]);
    expect(server.connections).toHaveLength(1);
    expect(stderr).toBe("");
  });

  test.each([
    ["213 4", "SIZE#3"],
    ["550 no y today", "SIZE#3"],
    ["229 Entering (|||1|)", "EPSV#3"],
  ])("and begins with that later, by %s, gets single commands", async (early, silent) => {
    const late = transfer({ completion: [early, "226 done"] });
    const { server, stderr } = await fetchAll({ on: { "RETR#2": late, [silent]: [] } });
    expect(stderr).toContain("all 3 octets arrived, but the server doesn't answer in order");
    expect(server.connections).toHaveLength(2);
  });
});

describe("nothing travels with RETR", () => {
  test("of a file that isn't small", async () => {
    const large = Object.fromEntries(names.map((name) => [name, name.repeat(16 * 1024 + 1)]));
    const { server } = await fetchAll({ files: large });
    expect(names.map((name) => withRetrieval(server, name))).toEqual([[], [], [], []]);
  });

  test("of a file whose size nobody knows", async () => {
    const { server } = await fetchAll({ on: { SIZE: "502 no SIZE" } });
    expect(server.commands).not.toContain("NOOP");
  });

  test("with --no-pipelining", async () => {
    const { server } = await fetchAll({}, ["--no-pipelining"]);
    expect(server.commands).not.toContain("NOOP");
  });
});
