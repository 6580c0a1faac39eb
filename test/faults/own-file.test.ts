/** -c and a file that another program left: only what goes on behind it replaces it, and it stays until all is there. */
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
import { proceed, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 400_000;
const content = generatedOctets(1, 0, size);
const other = generatedOctets(2, 0, size);
const modified = new Date("2020-01-02T03:04:05Z");
const begun = content.subarray(0, 100_000);
/** The file's first half, and then other bytes. */
const own = Buffer.concat([content.subarray(0, 200_000), other.subarray(0, 100_004)]);
const cut = transfer({ first: 250_000, completion: "426 Cut" });
const sum = `sha256:${createHash("sha256").update(content).digest("hex")}`;

ownDirectory();

const serve = (on: Record<string, Action> = {}, octets = content) =>
  startServer({ files: { x: { content: octets, modified } }, on });

const fetch = (server: ScriptedServer, ...options: string[]) =>
  run(["-q", "-t", "1", ...options, server.url("/x")], { cwd });

function put(octets: Buffer): void {
  rmSync(at("x"), { force: true });
  writeFileSync(at("x"), octets);
}

const isHere = (octets: Buffer) => readFileSync(at("x")).equals(octets);
const isProgramsOwn = (name: string) => /\.ftpull(\.json)?$/.test(name);

async function expectFetched(server: ScriptedServer, ...options: string[]): Promise<void> {
  const { status, stderr } = await fetch(server, ...options);
  expect(status, stderr).toBe(0);
  expect([readdirSync(cwd), isHere(content)]).toEqual([["x"], true]);
}

async function expectRefused(server: ScriptedServer, here: Buffer, status: number) {
  const result = await fetch(server, "-c");
  expect(result.status, result.stderr).toBe(status);
  expect(isHere(here)).toBe(true);
  expect(readdirSync(cwd).filter((name) => !isProgramsOwn(name))).toEqual(["x"]);
}

describe("-c goes on with", () => {
  it.each([
    ["the file's beginning", begun],
    ["all of it", content],
    ["an empty file", Buffer.alloc(0)],
  ])("%s", async (_claim, here) => {
    put(here);
    await expectFetched(await serve(), "-c");
  });

  it("what it was interrupted in, though the file is there, too", async () => {
    put(begun);
    const server = await serve({ "RETR#1": cut });
    expect((await fetch(server, "-c")).status).toBe(8);
    expect([readdirSync(cwd), isHere(begun)]).toEqual([["x", "x.ftpull", "x.ftpull.json"], true]);
    await expectFetched(server, "-c");
    expect(server.commands).toContain(`REST ${100_000 - 4096 + 250_000 - 4096}`);
  });
});

describe("-c refuses, and leaves as it is,", () => {
  it.each([
    ["another file", own],
    ["a longer one", Buffer.concat([content, begun])],
    ["another one of the same length", other],
  ])("%s, also beside a partial file", async (_claim, here) => {
    const server = await serve();
    put(here);
    await expectRefused(server, here, 9);
    leavePart(at("x"), begun, { url: server.url("/x"), size, modified });
    await expectRefused(server, here, 9);
    await expectFetched(server, "-f");
  });

  it("an older one", async () => {
    put(begun);
    utimesSync(at("x"), 0, 0);
    await expectRefused(await serve(), begun, 9);
    await expectFetched(await serve(), "-N");
  });

  it("one of another size or time with a checksum, if it isn't the file", async () => {
    put(other);
    const { status } = await fetch(await serve(), "-c", "--checksum", sum);
    expect([status, isHere(other)]).toEqual([9, true]);
  });

  it("one that an interrupted -c went on with, and that was changed since", async () => {
    put(begun);
    const server = await serve({ "RETR#1": cut });
    expect((await fetch(server, "-c")).status).toBe(8);
    appendFileSync(at("x"), "mine");
    await expectRefused(server, Buffer.concat([begun, Buffer.from("mine")]), 9);
  });

  const small = content.subarray(0, 6000);
  it.each<[claim: string, before: Buffer | undefined, after: Buffer, octets?: Buffer]>([
    ["appends to", begun, Buffer.concat([begun, own])],
    ["replaces", begun, own],
    ["makes longer by the file's bytes", begun, content.subarray(0, 150_000)],
    ["makes", undefined, own],
    ["replaces where the file is small", small.subarray(0, 5000), own, small],
  ])("what another program %s meanwhile", async (_claim, before, after, octets = content) => {
    // A resumed transfer has been compared when the size is asked for again.
    const moment = before === undefined ? "RETR" : "SIZE#2";
    const server = await serve({ [moment]: [() => put(after), proceed] }, octets);
    if (before !== undefined) put(before);
    await expectRefused(server, after, 3);
  });
});

it("a listing replaces the file of -O, and is never continued", async () => {
  put(Buffer.from("old"));
  const server = await serve();
  const { status, stderr } = await run(["-q", "-c", "-O", "x", server.url("/")], { cwd });
  expect(status, stderr).toBe(0);
  expect([readdirSync(cwd), isHere(Buffer.from("x\n"))]).toEqual([["x"], true]);
});
