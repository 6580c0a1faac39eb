/** -c and a file that another program left: only what goes on behind it replaces it, and it stays until all is there. */
import { createHash } from "node:crypto";
import { appendFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { proceed, transfer } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
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
const newTime = "213 20240102030405";

ownDirectory();

const serve = (on: Record<string, Action> = {}, octets = content) =>
  startServer({ files: { x: { content: octets, modified } }, on });

const fetch = (server: ScriptedServer, ...options: string[]) =>
  run(["-q", "--waitretry=0", ...options, server.url("/x")], { cwd });

function put(octets: Buffer, time?: Date): void {
  rmSync(at("x"), { force: true });
  writeFileSync(at("x"), octets);
  if (time !== undefined) utimesSync(at("x"), time, time);
}

const isHere = (octets: Buffer) => octetsOf("x").equals(octets);

async function expectFetched(server: ScriptedServer, ...options: string[]): Promise<void> {
  const result = await fetch(server, ...options);
  expect(result).toMatchObject({ status: 0, stderr: "" });
  expect([names(), isHere(content)]).toEqual([["x"], true]);
}

async function expectRefused(server: ScriptedServer, here: Buffer, status: number, because = "") {
  const result = await fetch(server, "-c");
  expect(result.stderr).toContain(because);
  expect(result.status, result.stderr).toBe(status);
  expect(isHere(here)).toBe(true);
  expect(names().filter((name) => !/\.ftpull(\.json)?$/.test(name))).toEqual(["x"]);
  return result.stderr;
}

describe("-c goes on with", () => {
  it.each<[claim: string, here: Buffer, time: Date | undefined, asked: string[]]>([
    ["the file's beginning", begun, undefined, [`REST ${100_000 - 4096}`, "RETR x"]],
    ["all of it", content, undefined, [`REST ${size - 4096}`, "RETR x"]],
    ["all of it, of the same time", content, modified, []],
    ["an empty file", Buffer.alloc(0), undefined, ["RETR x"]],
  ])("%s", async (_claim, here, time, asked) => {
    put(here, time);
    const { mtime } = statSync(at("x"));
    const server = await serve();
    await expectFetched(server, "-c");
    expect(server.sent("REST", "RETR")).toEqual(asked);
    expect(statSync(at("x")).mtime).toEqual(here.length === size ? mtime : modified);
  });

  it("a small one that has grown meanwhile", async () => {
    put(content.subarray(0, 1000));
    const grown = content.subarray(0, 1777);
    const server = await serve({ "SIZE#1": "213 1000" }, grown);
    expect(await fetch(server, "-c")).toMatchObject({ status: 0, stderr: "" });
    expect([names(), isHere(grown)]).toEqual([["x"], true]);
  });

  it("what it was interrupted in, though the file is there, too", async () => {
    put(begun);
    const server = await serve({ "RETR#1": cut });
    expect((await fetch(server, "-c", "-t1")).status).toBe(8);
    expect([names(), isHere(begun)]).toEqual([["x", "x.ftpull", "x.ftpull.json"], true]);
    await expectFetched(server, "-c");
    expect(server.commands).toContain(`REST ${100_000 - 4096 + 250_000 - 4096}`);
  });
});

describe("-c refuses, and leaves as it is,", () => {
  const noBeginning = "what is here is not the beginning of the server's file: it can't be";
  const hasChanged = "has changed on the server: it can't be continued";
  const broken = transfer({ first: 8192, completion: "426 Cut" });

  it.each<[claim: string, here: Buffer, because: string, on?: Record<string, Action>]>([
    ["another file", own, noBeginning],
    ["a longer one", Buffer.concat([content, begun]), "the file here has 500000 bytes"],
    ["another one of the same length", other, noBeginning],
    ["one where the server begins at 0", begun, noBeginning, { REST: "350 Yes" }],
    ["one where REST is refused", begun, "cannot go on at byte", { REST: "502 No" }],
    ["one of unknown size", begun, "the server doesn't tell the size", { SIZE: "500 No" }],
    ["one that changes meanwhile", begun, hasChanged, { MDTM: newTime, "MDTM#1": proceed }],
    ["one that changes behind a break", begun, hasChanged, { "RETR#1": broken, "MDTM#2": newTime }],
  ])("%s, also beside a partial file", async (_claim, here, because, on) => {
    const server = await serve(on);
    put(here);
    const stderr = await expectRefused(server, here, 9, because);
    expect(stderr).toContain("\nhint: replace it with -f\n");
    if (on !== undefined) return expect(names()).toEqual(["x"]);
    leavePart(at("x"), begun, { url: server.url("/x"), size, modified });
    await expectRefused(server, here, 9);
    await expectFetched(server, "-f");
  });

  it("an older one", async () => {
    put(begun, new Date(0));
    await expectRefused(await serve(), begun, 9, "newer than the file here");
    await expectFetched(await serve(), "-N");
  });

  it("one that a checksum shows to be another", async () => {
    put(other);
    const sum = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    const { status } = await fetch(await serve(), "-c", "--checksum", sum);
    expect([status, isHere(other)]).toEqual([9, true]);
  });

  it("the file of -O for several URLs", async () => {
    put(begun);
    const server = await serve();
    const { status, stderr } = await fetch(server, "-c", "-O", "x", server.url("/x"));
    expect(stderr).toContain("can't be continued: several files go into it\n");
    expect([status, names(), isHere(begun), server.commands]).toEqual([9, ["x"], true, []]);
  });

  it("one that an interrupted -c went on with, and that was changed since", async () => {
    put(begun);
    const server = await serve({ "RETR#1": cut });
    expect((await fetch(server, "-c", "-t1")).status).toBe(8);
    appendFileSync(at("x"), "mine");
    await expectRefused(server, Buffer.concat([begun, Buffer.from("mine")]), 9);
  });

  it.each(["x.aria2", "x.lftp-pget-status", "x.st"])("one beside %s", async (record) => {
    writeFileSync(at(record), "record");
    const server = await serve();
    for (const here of [content, begun]) {
      put(here);
      const { status, stderr } = await fetch(server, "-c");
      expect(stderr).toContain(`"x" was begun in pieces by another program ("${record}")`);
      expect([status, names(), isHere(here)]).toEqual([9, ["x", record], true]);
    }
    expect(server.sent("RETR")).toEqual([]);
  });

  it("what another program makes meanwhile", async () => {
    await expectRefused(await serve({ RETR: [() => put(own), proceed] }), own, 3);
  });
});

it("one refused file of a pattern doesn't keep the others away, nor the name of -O", async () => {
  put(other);
  const server = await startServer({ files: { "d/x": { content, modified }, "d/y": "y" } });
  for (const args of [
    ["-c", "-O", "x", server.url("/d/x")],
    ["-c", server.url("/d/*")],
  ])
    expect((await run(["-q", ...args], { cwd })).status).toBe(9);
  expect([names(), isHere(other)]).toEqual([["x", "y"], true]);
});

it.each(["-N", "-r"])("-c goes on with the file's beginning with %s, too", async (option) => {
  put(begun);
  const server = await serve();
  await expectFetched(server, "-c", option);
  expect(server.sent("REST")).toEqual([`REST ${100_000 - 4096}`]);
});

it.each<[option: string, claim: string, here: Buffer, time?: Date]>([
  ["-N", "another file", own],
  ["-r", "another file", own],
  ["-N", "an older one", begun, new Date(0)],
  ["-r", "a longer one", Buffer.concat([content, begun])],
])("-c with %s replaces %s once its own is whole", async (option, _claim, here, time) => {
  put(here, time);
  const fromZero: Step = (exchange) => (exchange.session.offset > 0 ? proceed : cut)(exchange);
  const server = await serve({ RETR: fromZero });
  expect((await fetch(server, "-c", option, "-t1")).status).toBe(8);
  expect(isHere(here)).toBe(true);
  server.on("RETR", proceed);
  await expectFetched(server, "-c", option);
});

it("a listing replaces the file of -O, and is never continued", async () => {
  put(Buffer.from("old"));
  const server = await serve();
  const result = await run(["-q", "-c", "-O", "x", server.url("/")], { cwd });
  expect(result).toMatchObject({ status: 0, stderr: "" });
  expect([names(), isHere(Buffer.from("x\n"))]).toEqual([["x"], true]);
});

it("stays, and nothing beside it, once a further try has the facts that -N compares", async () => {
  put(content, modified);
  const server = await serve({ "SIZE#1": "550 no", "MDTM#1": "550 no", "RETR#1": cut });
  expect(await fetch(server, "-N")).toMatchObject({ status: 0, stderr: "" });
  expect([names(), isHere(content), server.sent("RETR")]).toEqual([["x"], true, ["RETR x"]]);
});
