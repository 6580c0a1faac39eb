/**
 * Going on with what an earlier run or an earlier try has left: the file is the server's as it is now, or the run
 * fails. Nothing is put together from two files, and another program's file is never lost.
 */
import { readFileSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { close, proceed, transfer, transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import type { RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 200_000;
const cutAt = 120_000;
const content = generatedOctets(1, 0, size);
const other = generatedOctets(2, 0, size);
const same = Buffer.alloc(size, "a");
const modified = new Date("2020-01-02T03:04:05Z");
const cut = transfer({ first: cutAt, completion: "426 Cut" });

ownDirectory();

const serve = (on: Record<string, Action> = {}, octets = content): Promise<ScriptedServer> =>
  startServer({ files: { x: { content: octets, modified } }, on });

function fetch(server: ScriptedServer, options: string[] = [], path = "/x"): Promise<RunResult> {
  return run(["--progress", "none", ...options, server.url(path)], { cwd });
}

/** A server whose file a first run has got the beginning of. */
async function interrupted(octets = content): Promise<ScriptedServer> {
  const server = await serve({ "RETR#1": cut }, octets);
  expect((await fetch(server, ["-t", "1"])).status).toBe(8);
  expect(readFileSync(at("x.ftpull"))).toEqual(octets.subarray(0, cutAt));
  return server;
}

function expectFile(octets: Buffer, { status, stderr }: RunResult): void {
  expect(status, stderr).toBe(0);
  expect(names()).toEqual(["x"]);
  expect(readFileSync(at("x")).equals(octets)).toBe(true);
}

describe("the same command", () => {
  it("asks for the rest of the same file, and for 4 KiB before it", async () => {
    const server = await interrupted();
    const result = await fetch(server);
    expectFile(content, result);
    expect(result.stderr).toBe("");
    expect(server.sent("REST")).toEqual([`REST ${cutAt - 4096}`]);
  });

  it.each(["-N", "-nc", "-c", "-r"])("with %s, too", async (option) => {
    const server = await serve({ "RETR#1": cut });
    await fetch(server, ["-t", "1", option]);
    expectFile(content, await fetch(server, [option]));
    expect(server.sent("REST")).toEqual([`REST ${cutAt - 4096}`]);
  });

  it.each<[claim: string, because: string, change: Record<string, Action>, now?: Buffer]>([
    [
      "of another time",
      "the file has changed on the server",
      { MDTM: "213 20240102030405" },
      other,
    ],
    [
      "of other bytes, though size and time are the same",
      "what is here is not the beginning of the server's file",
      {},
      other,
    ],
    [
      "where REST is refused",
      `cannot go on at byte ${cutAt - 4096}: server replied 502 "No"`,
      { REST: "502 No" },
    ],
    [
      "where the server says 350 and begins at 0",
      "what is here is not the beginning of the server's file",
      { REST: "350 Yes" },
    ],
  ])("begins again with a file %s, and says so", async (_claim, because, change, now = content) => {
    const server = await interrupted();
    server.on("RETR", transferFrom(now));
    for (const [verb, action] of Object.entries(change)) server.on(verb, action);
    const result = await fetch(server);
    expectFile(now, result);
    expect(result.stderr).toBe(`ftpull: ${server.url("/x")}: ${because}; beginning again\n`);
  });

  it("begins again where the server begins at 0 and the bytes are the same everywhere", async () => {
    const server = await interrupted(same);
    server.on("REST", "350 Yes");
    const result = await fetch(server);
    expectFile(same, result);
    expect(result.stderr).toContain(`the server sent more than ${size} bytes; beginning again\n`);
  });

  it.each<[claim: string, completion: Action]>([
    ["426", "426 Cut"],
    ["a hang-up", close],
  ])(
    "is whole with all bytes, and the same facts asked again, behind %s",
    async (_, completion) => {
      const server = await interrupted();
      server.on("RETR", transfer({ completion }));
      const result = await fetch(server);
      expectFile(content, result);
      expect(server.sent("RETR")).toHaveLength(2);
    },
  );

  it("begins again if the server sends nothing of a file that was here to its end", async () => {
    const server = await serve({ "RETR#1": transfer({ content: [] }) });
    leavePart(at("x"), other, { url: server.url("/x"), size, modified });
    expectFile(content, await fetch(server));
    expect(server.sent("REST")).toEqual([`REST ${size - 4096}`]);
  });

  it("begins again where the state is lost", async () => {
    const server = await interrupted();
    rmSync(at("x.ftpull.json"));
    expectFile(content, await fetch(server));
    expect(server.sent("REST")).toEqual([]);
  });

  it("keeps nothing of a text, and of a file whose size or time isn't known", async () => {
    const server = await serve({ RETR: cut });
    const text = await fetch(server, ["-t", "1"], "/x;type=a");
    expect([text.status, names()]).toEqual([8, []]);
    for (const verb of ["SIZE", "MDTM"]) {
      server.on(verb, "502 No");
      const { status, stderr } = await fetch(server, ["-t", "1"]);
      expect([status, names()]).toEqual([8, []]);
      expect(stderr).toMatch(/; nothing was kept$/m);
      server.on(verb, proceed);
    }
  });
});

describe("a partial file stays where RETR is refused", () => {
  it.each<[claim: string, on: Record<string, Action>]>([
    ["alone", {}],
    ["and SIZE and MDTM answered 550", { "SIZE#1": "550 No", "MDTM#1": "550 No" }],
    ["and REST", { "REST#1": "502 No" }],
  ])("%s", async (_claim, on) => {
    const server = await interrupted();
    server.on("RETR", "550 No");
    for (const [verb, action] of Object.entries(on)) server.on(verb, action);
    expect((await fetch(server, ["-t", "1"])).status).toBe(8);
    expect(names()).toEqual(["x.ftpull", "x.ftpull.json"]);
    server.on("RETR", proceed);
    expectFile(content, await fetch(server));
    expect(server.sent("REST").at(-1)).toBe(`REST ${cutAt - 4096}`);
  });
});

describe("within a run", () => {
  it("what goes to standard output goes on after a break", async () => {
    const server = await serve({ "RETR#1": cut });
    const { status, stdoutBytes } = await fetch(server, ["-O", "-"]);
    expect([status, stdoutBytes.equals(content)]).toEqual([0, true]);
  });

  it.each<[claim: string, change: Record<string, Action>, because: string]>([
    ["of another size", { "SIZE#2": "213 200001" }, "cannot go back to byte 0"],
    ["of unknown time", { MDTM: "502 No" }, "cannot go back to byte 0"],
    ["of other bytes", { "RETR#2": transferFrom(other) }, "what is here is not the beginning"],
    ["of other facts at the end", { "MDTM#3": "213 20240102030405" }, "the file has changed"],
  ])("standard output fails with a file %s: 9", async (_claim, on, because) => {
    const server = await serve({ "RETR#1": cut, ...on });
    const { status, stdoutBytes, stderr } = await fetch(server, ["-O", "-"]);
    expect(stderr).toContain(because);
    expect(status).toBe(9);
    expect(content.subarray(0, stdoutBytes.length).equals(stdoutBytes)).toBe(true);
  });
});
