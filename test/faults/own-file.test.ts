/**
 * A user's own file that -c finds at a document's final name when the document is whole. It stays, unless it is
 * the document's beginning, or an earlier run was allowed to replace it.
 */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { proceed, transfer, transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import type { RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 400_000;
const content = generatedOctets(1, 0, size);
const other = generatedOctets(2, 0, size);
const modified = new Date("2020-01-02T03:04:05Z");
const begun = content.subarray(0, 100_000);
/** The document's first half, and then other octets. */
const own = Buffer.concat([content.subarray(0, 200_000), other.subarray(0, 100_004)]);
const old = other.subarray(0, 5000);
const cut = transfer({ first: 250_000, completion: "426 Cut" });

ownDirectory();

const serve = (on: Record<string, Action> = {}, octets = content) =>
  startServer({ files: { x: { content: octets, modified } }, on });

function fetch(server: ScriptedServer, options: string[], path = "/x"): Promise<RunResult> {
  return run(["--progress", "none", "-t", "1", ...options, server.url(path)], { cwd });
}

function put(octets: Buffer): void {
  rmSync(at("x"), { force: true });
  writeFileSync(at("x"), octets);
}

function expectOnly(octets: Buffer): void {
  expect(readdirSync(cwd)).toEqual(["x"]);
  expect(readFileSync(at("x")).equals(octets)).toBe(true);
}

function change(server: ScriptedServer, octets: Buffer): void {
  server.on("SIZE", `213 ${octets.length}`);
  server.on("MDTM", "213 20210101000000");
  server.on("RETR", transferFrom(octets));
}

async function expectRefused(server: ScriptedServer, here: Buffer, options = ["-c"], path = "/x") {
  const { status, stderr } = await fetch(server, options, path);
  expect(stderr.replace(/^.*; beginning again\n/, "")).toBe(
    `ftpull: ${server.url(path)}: the file here is not the beginning of the server's: it can't be continued\n` +
      "hint: replace it with -f, or keep both by leaving out -c\n",
  );
  expect(status).toBe(9);
  expectOnly(here);
}

async function expectFetched(server: ScriptedServer, options = ["-c"], octets = content) {
  const { status, stderr } = await fetch(server, options);
  expect(status, stderr).toBe(0);
  expectOnly(octets);
}

describe("-c with a killed run's folder beside a file", () => {
  const url = (server: ScriptedServer) => server.url("/x");

  it.each<[claim: string, urlOf: (server: ScriptedServer) => string, size?: number]>([
    ["of this document", url, size],
    ["of another URL", (server) => server.url("/y"), size],
    ["of a document without a size", url],
  ])("%s refuses the user's own", async (_claim, urlOf, size) => {
    const server = await serve();
    put(own);
    leavePart(at("x"), begun, { url: urlOf(server), size, modified });
    await expectRefused(server, own);
  });

  it("refuses the user's own under the name of -O, and beside a small document", async () => {
    const small = content.subarray(0, 600);
    const server = await serve({}, small);
    put(old);
    leavePart(at("x"), small.subarray(0, 200), { url: server.url("/x"), size: 600, modified });
    await expectRefused(server, old, ["-c", "-O", "x"]);
  });

  it("refuses a file that doesn't begin a converted text", async () => {
    const server = await startServer({ files: { x: "one\ntwo\nthree\n" } });
    const here = Buffer.from("one\nfour\n");
    put(here);
    leavePart(at("x"), "one\n", { url: server.url("/x;type=a") });
    await expectRefused(server, here, ["-c"], "/x;type=a");
  });

  it("refuses a file that goes on behind the document's end", async () => {
    const server = await serve();
    const longer = Buffer.concat([content, old]);
    put(longer);
    leavePart(at("x"), begun, { url: server.url("/x"), size, modified });
    await expectRefused(server, longer);
  });

  it.each([
    ["the document's beginning", content.subarray(0, 300_004)],
    ["the document", content],
    ["empty", Buffer.alloc(0)],
  ])("replaces a file that is %s", async (_claim, here) => {
    const server = await serve();
    put(here);
    leavePart(at("x"), begun, { url: server.url("/x"), size, modified });
    await expectFetched(server);
  });

  it.each([
    ["-N", ["-N"]],
    ["-r", ["-r"]],
    ["a checksum", ["--checksum", `sha256:${createHash("sha256").update(content).digest("hex")}`]],
  ])("replaces any file with %s", async (_claim, options) => {
    const server = await serve();
    put(own);
    utimesSync(at("x"), 0, 0);
    leavePart(at("x"), begun, { url: server.url("/x"), size, modified });
    await expectFetched(server, ["-c", ...options]);
  });
});

describe("-c after a run that was allowed to replace the file, and was interrupted", () => {
  async function interrupted(options: string[], on: Record<string, Action> = {}) {
    const server = await serve({ "RETR#1": cut, ...on });
    put(old);
    utimesSync(at("x"), 0, 0);
    expect((await fetch(server, options)).status).toBe(8);
    expect(readdirSync(cwd)).toEqual(["x", "x.ftpull"]);
    return server;
  }

  it.each([["-f"], ["-N"], ["-cN"], ["-cm"]])("replaces it: %s", async (options) => {
    await expectFetched(await interrupted([options]));
  });

  it("replaces it after -c was interrupted, too", async () => {
    const server = await interrupted(["-f"], {
      "RETR#2": transfer({ first: 9000, completion: "426 Cut" }),
    });
    expect((await fetch(server, ["-c"])).status).toBe(8);
    await expectFetched(server);
  });

  it.each([
    ["large", other],
    ["small", other.subarray(0, 600)],
  ])("replaces it by a document that has changed since: %s", async (_claim, octets) => {
    const server = await interrupted(["-f"]);
    change(server, octets);
    await expectFetched(server, ["-c"], octets);
  });

  it("refuses a file that was changed since", async () => {
    const server = await interrupted(["-f"]);
    appendFileSync(at("x"), "more");
    await expectRefused(server, Buffer.concat([old, Buffer.from("more")]));
  });

  it("refuses it for a document of another URL", async () => {
    const server = await interrupted(["-f"]);
    const here = readFileSync(at("x"));
    await expectRefused(server, here, ["-c"], "/./x");
  });
});

describe("-c alone that was interrupted", () => {
  it("replaces the beginning that it went on with", async () => {
    const server = await serve({ "RETR#1": transfer({ first: 100_000, completion: "426 Cut" }) });
    put(begun);
    expect((await fetch(server, ["-c"])).status).toBe(8);
    expect(readdirSync(cwd)).toEqual(["x", "x.ftpull"]);
    await expectFetched(server);
  });

  it("refuses the beginning that it went on with, if the document has changed since", async () => {
    const server = await serve({ "RETR#1": transfer({ first: 100_000, completion: "426 Cut" }) });
    put(begun);
    expect((await fetch(server, ["-c"])).status).toBe(8);
    change(server, other);
    await expectRefused(server, begun);
  });

  it("replaces an older file of the same size", async () => {
    const server = await serve({ "RETR#1": cut });
    put(other);
    utimesSync(at("x"), 0, 0);
    expect((await fetch(server, ["-c"])).status).toBe(8);
    await expectFetched(server);
  });
});

describe("during -c alone, a file that another program", () => {
  const appended = Buffer.concat([begun, old]);
  const small = content.subarray(0, 6000);

  it.each<[claim: string, before: Buffer | undefined, after: Buffer, octets?: Buffer]>([
    ["appends to stays", begun, appended],
    ["replaces stays", begun, old],
    ["makes stays", undefined, own],
    ["makes stays, where the document is small", undefined, old, small],
    ["replaces stays, where the document is small", small.subarray(0, 5000), old, small],
  ])("%s", async (_claim, before, after, octets = content) => {
    // A resumed transfer has been compared when the size is asked for again.
    const moment = before === undefined ? "RETR" : "SIZE#2";
    const server = await serve({ [moment]: [() => put(after), proceed] }, octets);
    if (before !== undefined) put(before);
    await expectRefused(server, after);
  });

  it.each<[claim: string, REST: string]>([
    ["compared at its end", "350 Yes"],
    ["compared from 0", "502 No"],
  ])("makes longer by the document's octets is replaced: %s", async (_claim, REST) => {
    const longer = content.subarray(0, 150_000);
    const on = REST.startsWith("350") ? {} : { REST };
    const server = await serve({ ...on, RETR: [() => put(longer), proceed] });
    put(begun);
    await expectFetched(server);
  });

  it.each([
    [
      "a checksum",
      ["-c", "--checksum", `sha256:${createHash("sha256").update(content).digest("hex")}`],
    ],
    ["-f in place of -c", ["-f"]],
  ])("makes is replaced with %s", async (_claim, options) => {
    await expectFetched(await serve({ RETR: [() => put(own), proceed] }), options);
  });

  it("has is replaced by a listing, which is never continued", async () => {
    put(Buffer.from("old"));
    const { status, stderr } = await fetch(await serve(), ["-c", "-O", "x"], "/");
    expect(status, stderr).toBe(0);
    expectOnly(Buffer.from("x\n"));
  });
});
