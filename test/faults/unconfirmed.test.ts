/** A resumed file is whole once the server says the same of it again: size and time. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { close, proceed, transfer, transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import type { RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 200_000;
const cutAt = 120_000;
const content = generatedOctets(1, 0, size);
const replaced = generatedOctets(2, 0, size);
const mixture = Buffer.concat([content.subarray(0, cutAt), replaced.subarray(cutAt)]);
const cut = transfer({ first: cutAt, completion: "426 Cut" });
const newTime = "213 20240102030405";

ownDirectory();

const start = (on: Record<string, Action>): Promise<ScriptedServer> =>
  startServer({ files: { x: content }, on: { ...on, "RETR#1": on["RETR#1"] ?? cut } });

function fetch(server: ScriptedServer, options: string[] = []): Promise<RunResult> {
  return run(["--progress", "none", ...options, server.url("/x")], { cwd });
}

function expectFile({ status, stderr }: RunResult, octets = content): void {
  expect(status, stderr).toBe(0);
  expect(names()).toEqual(["x"]);
  expect(octetsOf("x").equals(octets)).toBe(true);
}

const count = (server: ScriptedServer, line: string): number =>
  server.commands.filter((command) => command === line).length;

test.each<[claim: string, on: Record<string, Action>]>([
  ["where SIZE is answered 450 once", { "SIZE#3": "450 Busy" }],
  ["where the server closes behind the 226", { "SIZE#3": close }],
  ["where the control connection is lost before it", { "RETR#2": transfer({ completion: close }) }],
])("%s, the next try asks, and fetches 4 KiB", async (_claim, on) => {
  const server = await start(on);
  expectFile(await fetch(server));
  expect(server.sent("REST")).toEqual([`REST ${cutAt - 4096}`, `REST ${size - 4096}`]);
});

test.each<[claim: string, on: Record<string, Action>]>([
  ["each time 450", { SIZE: "450 Busy", "SIZE#1": proceed, "SIZE#2": proceed }],
  ["by a server that lets none in", { greeting: ["421 Full", close], "greeting#1": proceed, "SIZE#3": close }], // prettier-ignore
])("what isn't confirmed is no file, and stays for the same command: %s", async (_claim, on) => {
  const server = await start(on);
  const { status, stderr } = await fetch(server, ["-t", "2"]);
  expect(status).toBe(8);
  expect(stderr).toContain("the same command goes on from there\n");
  expect(names()).toEqual(["x.ftpull", "x.ftpull.json"]);
  for (const verb of ["SIZE", "greeting"]) server.on(verb, proceed);
  expectFile(await fetch(server));
  expect(server.sent("REST").at(-1)).toBe(`REST ${size - 4096}`);
});

test("what is gone at the end begins again, and is refused", async () => {
  const gone = "550 Gone";
  const told = { "SIZE#1": proceed, "SIZE#2": proceed, "MDTM#1": proceed, "MDTM#2": proceed };
  const server = await start({ SIZE: gone, MDTM: gone, RETR: gone, ...told, "RETR#2": proceed });
  const { status, stderr } = await fetch(server);
  expect(stderr).toContain("the file has changed on the server; beginning again\n");
  expect([status, names()]).toEqual([8, ["x.ftpull", "x.ftpull.json"]]);
});

test.each<[claim: string, on: Record<string, Action>]>([
  ["with 226", { "RETR#2": transferFrom(mixture) }],
  ["without 226", { "RETR#2": transferFrom(mixture, { completion: close }) }],
  ["with 550", { "RETR#2": transferFrom(mixture, { completion: "550 No" }) }],
])(
  "what is replaced while it is resumed, alike at the break, is fetched anew: %s",
  async (_claim, on) => {
    const told = { MDTM: newTime, "MDTM#1": proceed, "MDTM#2": proceed };
    const server = await start({ RETR: transferFrom(replaced), ...told, ...on });
    const result = await fetch(server);
    expectFile(result, replaced);
    expect(result.stderr).toContain("the file has changed on the server; beginning again\n");
  },
);

test.each([
  [
    "with a checksum",
    ["--checksum", `sha256:${createHash("sha256").update(content).digest("hex")}`],
  ],
  ["without", []],
])(
  "5yz behind all bytes, and facts that are the same: whole, with a note, %s",
  async (_claim, options) => {
    const server = await start({ "RETR#1": transfer({ completion: "550 Read error" }) });
    const result = await fetch(server, options);
    expectFile(result);
    expect(result.stderr).toMatch(/: all 200000 bytes arrived, but .*550/);
    expect([count(server, "SIZE x"), count(server, "RETR x")]).toEqual([2, 1]);
  },
);
