/**
 * Going on with a document of which the server doesn't say again what it has said. What is here stays
 * until the document comes again, or is known as another one.
 */
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { close, Gate, proceed, transfer, transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import type { RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 20_000;
const cutAt = 12_000;
const content = generatedOctets(1, 0, size);
const cut = transfer({ first: cutAt, completion: "426 Cut" });
const sha256 = createHash("sha256").update(content).digest("hex");
const unchanged = "nothing shows that the document is unchanged";
const untold = "the server doesn't tell size and time any more";
const newTime = "213 20240102030405";

ownDirectory();

function start(on: Record<string, Action>): Promise<ScriptedServer> {
  return startServer({ files: { x: content }, on });
}

function fetch(server: ScriptedServer, options: string[] = []): Promise<RunResult> {
  return run(["--progress", "none", ...options, server.url("/x")], { cwd });
}

function expectWhole({ status, stderr }: RunResult): void {
  expect(status, stderr).toBe(0);
  expect(names()).toEqual(["x"]);
  expect(octetsOf("x").equals(content)).toBe(true);
}

describe("a document of which all octets came in two transfers is whole", () => {
  const gone = { SIZE: "550 Gone", MDTM: "550 Gone", RETR: "550 Gone" };
  const earlier = { "SIZE#1": proceed, "MDTM#1": proceed, "RETR#1": cut };
  const resumed = { ...earlier, "SIZE#2": proceed, "MDTM#2": proceed, "RETR#2": proceed };

  test.each([
    ["alone", []],
    ["with a checksum", ["--checksum", `sha256:${sha256}`]],
  ])("when it isn't there any more at the end: %s", async (_, options) => {
    const server = await start({ ...gone, ...resumed });
    const result = await fetch(server, options);
    expectWhole(result);
    expect(result.stderr).toContain(`all 20000 octets arrived, but ${unchanged}: ${untold}\n`);
  });

  test("when it continues a file of the user's own", async () => {
    writeFileSync(at("x"), content.subarray(0, cutAt));
    const server = await start({ ...gone, ...earlier, "RETR#1": proceed });
    const result = await fetch(server, ["-c"]);
    expectWhole(result);
    expect(result.stderr).toContain(`${unchanged}: ${untold}\n`);
  });

  test("when the server is asked again after a 4yz", async () => {
    const server = await start({ "RETR#1": cut, "SIZE#3": "450 Busy" });
    const result = await fetch(server);
    expectWhole(result);
    expect(result.stderr).not.toContain(unchanged);
    expect(server.commands.filter((line) => line === "SIZE x")).toHaveLength(4);
    expect(server.commands.filter((line) => line === "RETR x")).toHaveLength(2);
  });

  test("when the server answers 4yz each time", async () => {
    const busy = { "MDTM#3": "450 Busy", "MDTM#4": "450 Busy" };
    const server = await start({ "RETR#1": cut, ...busy });
    const result = await fetch(server);
    expectWhole(result);
    const because = 'cannot get the time of "x": server replied 450 "Busy"';
    expect(result.stderr).toContain(`${unchanged}: ${because}\n`);
  });

  test("on standard output, after a 4yz", async () => {
    const server = await start({ "RETR#1": cut, "SIZE#3": "450 Busy" });
    const { status, stdoutBytes } = await fetch(server, ["-O", "-"]);
    expect(status).toBe(0);
    expect(stdoutBytes.equals(content)).toBe(true);
  });

  test("when the server closes behind the 226, and tells the same over a new connection", async () => {
    const server = await start({ "RETR#1": cut, "SIZE#3": close });
    const result = await fetch(server);
    expectWhole(result);
    expect(result.stderr).not.toContain(unchanged);
    expect(server.connections.at(-1)!.commands).toContain("MDTM x");
    expect(server.commands.filter((line) => line === "RETR x")).toHaveLength(2);
  });

  test("when the server closes behind the 226, and lets none in again", async () => {
    const on = { RETR: transfer({ completion: close }), "RETR#1": cut };
    const server = await start({ ...on, greeting: ["421 Full", close], "greeting#1": proceed });
    const result = await fetch(server);
    expectWhole(result);
    expect(result.stderr).toContain(unchanged);
  });
});

test("what is replaced while it is resumed is fetched anew, also where the server closes without 226", async () => {
  const replaced = generatedOctets(2, 0, size);
  const mixture = Buffer.concat([content.subarray(0, cutAt), replaced.subarray(cutAt)]);
  const server = await start({
    MDTM: newTime,
    "MDTM#1": proceed,
    "MDTM#2": proceed,
    RETR: transferFrom(replaced),
    "RETR#1": cut,
    "RETR#2": transferFrom(mixture, { completion: close }),
  });
  const { status, stderr } = await fetch(server);
  expect(status).toBe(0);
  expect(stderr).toContain("the document has changed on the server; beginning again\n");
  expect(octetsOf("x").equals(replaced)).toBe(true);
});

describe("a document that is replaced by one of its size, alike around the break, is fetched anew", () => {
  const replaced = Buffer.from(content);
  generatedOctets(2, 0, cutAt - 4096).copy(replaced);
  generatedOctets(3, 0, size - cutAt).copy(replaced, cutAt);
  const mixture = Buffer.concat([content.subarray(0, cutAt), replaced.subarray(cutAt)]);
  const toldOnce = "the server told the document's size or time only once";

  const cases: [claim: string, on: Record<string, Action>][] = [
    ["once it was resumed", { MDTM: newTime, "MDTM#1": "550 No" }],
    ["once it was resumed, and not any more", { MDTM: "550 No", "MDTM#1": proceed }],
    [
      "at the end",
      { MDTM: newTime, "MDTM#1": "550 No", "MDTM#2": "550 No", "RETR#2": transferFrom(mixture) },
    ],
    [
      "before the end, and not there",
      { MDTM: "550 No", "MDTM#1": proceed, "MDTM#2": proceed, "RETR#2": transferFrom(mixture) },
    ],
  ];

  test.each(cases)("where its time is told only %s", async (_claim, on) => {
    const server = await start({ RETR: transferFrom(replaced), "RETR#1": cut, ...on });
    const { status, stderr } = await fetch(server);
    expect(stderr).toContain(`${toldOnce}; beginning again\n`);
    expect(status).toBe(0);
    expect(octetsOf("x").equals(replaced)).toBe(true);
  });

  test("on standard output it is a failure", async () => {
    const on = { MDTM: newTime, "MDTM#1": "550 No" };
    const server = await start({ RETR: transferFrom(replaced), "RETR#1": cut, ...on });
    const { status, stderr } = await fetch(server, ["-O", "-"]);
    expect(stderr).toContain(toldOnce);
    expect(status).not.toBe(0);
  });
});

describe("a partial file is kept", () => {
  async function interrupted(): Promise<ScriptedServer> {
    const server = await start({ "RETR#1": cut });
    expect((await fetch(server, ["-t", "1"])).status).toBe(8);
    return server;
  }

  const size450 = 'cannot get the size of "x": server replied 450 "Busy"';
  const time421 = 'cannot get the time of "x": server replied 421 "Going down"';
  const cases: [claim: string, on: Record<string, Action>, because: string][] = [
    ["SIZE is answered 450", { "SIZE#1": "450 Busy" }, size450],
    ["MDTM is answered 421", { "MDTM#1": ["421 Going down", close] }, time421],
    ["the document isn't there", { "SIZE#1": "550 No", "MDTM#1": "550 No" }, 'cannot retrieve "x"'],
    ["REST is refused", { "REST#1": "502 No" }, 'cannot retrieve "x"'],
  ];
  test.each(cases)("where %s, and RETR refused", async (_, on, because) => {
    const server = await interrupted();
    server.on("RETR", "550 No");
    for (const [verb, action] of Object.entries(on)) server.on(verb, action);
    const { status, stderr } = await fetch(server, ["-c", "-t", "1"]);
    expect(status).toBe(8);
    expect(stderr).toContain(because);
    expect(names()).toEqual(["x.ftpull"]);
    expect(octetsOf("x.ftpull/data").equals(content.subarray(0, cutAt))).toBe(true);
    server.on("RETR", proceed);
    expectWhole(await fetch(server, ["-c"]));
  });

  test("in pieces, where SIZE is answered 450 beside REST, and at the end", async () => {
    const large = 3.5 * 2 ** 20;
    const gate = new Gate();
    const server = await startServer({
      files: { x: { size: large, seed: 1 } },
      on: {
        "RETR#1": transfer({ pause: { after: 65_536, until: gate.opened } }),
        "RETR#2": [() => server.on("SIZE", "450 Busy"), () => gate.open(), proceed],
      },
    });
    expect((await fetch(server, ["-s", "2", "-t", "1"])).status).toBe(8);
    expect(names()).toEqual(["x.ftpull"]);
    server.on("SIZE", proceed);
    expect((await fetch(server, ["-c"])).status).toBe(0);
    expect(octetsOf("x").equals(generatedOctets(1, 0, large))).toBe(true);
  });
});

test("pieces are a whole document, with a note, where it isn't there any more at the end", async () => {
  const large = 2.5 * 2 ** 20;
  const gate = new Gate();
  const leave = (): void => {
    for (const verb of ["SIZE", "MDTM"]) server.on(verb, "550 Gone");
  };
  const server = await startServer({
    files: { x: { size: large, seed: 1 } },
    on: {
      "RETR#1": transfer({ pause: { after: 65_536, until: gate.opened } }),
      "RETR#2": [leave, () => gate.open(), proceed],
    },
  });
  const { status, stderr } = await fetch(server, ["-s", "2"]);
  expect(stderr).toContain(`${unchanged}: ${untold}\n`);
  expect(status).toBe(0);
  expect(octetsOf("x").equals(generatedOctets(1, 0, large))).toBe(true);
});

describe("a file of the user's own that -c continues stays as it was", () => {
  const own = content.subarray(0, cutAt);

  test("where the document changes, and can't be had then", async () => {
    writeFileSync(at("x"), own);
    const on = {
      RETR: "450 Busy",
      "RETR#1": transferFrom(content, { first: 6000, completion: "426 Cut" }),
    };
    const server = await start({ ...on, "MDTM#2": newTime });
    const { status, stderr } = await fetch(server, ["-c", "-t", "2"]);
    expect(stderr).toContain("the document has changed on the server; beginning again\n");
    expect(status).toBe(8);
    expect(names()).toEqual(["x"]);
    expect(octetsOf("x").equals(own)).toBe(true);
  });

  test("where the document hasn't its checksum", async () => {
    writeFileSync(at("x"), own);
    const server = await start({});
    const { status } = await fetch(server, ["-c", "--checksum", `sha256:${"0".repeat(64)}`]);
    expect(status).toBe(9);
    expect(octetsOf("x").equals(own)).toBe(true);
    expect(existsSync(at("x.ftpull/data"))).toBe(false);
  });
});
