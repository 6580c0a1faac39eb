/**
 * Going on with what an earlier run or an earlier try has left: the file is the document as it
 * is now, or the run fails. Nothing is put together from two documents.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { Gate, proceed, transfer, transferFrom, until } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { at, cwd, ownDirectory } from "../support/own-directory.ts";
import { leavePart } from "../support/part.ts";
import { type RunResult } from "../support/run.ts";
import { run } from "../support/run-here.ts";
import type { Action } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";

const size = 20_000;
const content = generatedOctets(1, 0, size);
const other = generatedOctets(2, 0, size);
const same = Buffer.alloc(size, "a");
const cutAt = 12_000;
const cut = transfer({ first: cutAt, completion: "426 Cut" });

ownDirectory();

/** A server whose document a first run has got the beginning of. */
async function interrupted(document = content, options: string[] = []): Promise<ScriptedServer> {
  const server = await startServer({ files: { x: document }, on: { "RETR#1": cut } });
  const { status } = await fetch(server, ["-t", "1", ...options]);
  expect(status).toBe(8);
  expect(readFileSync(at("x.ftpull/data"))).toEqual(document.subarray(0, cutAt));
  return server;
}

function fetch(server: ScriptedServer, options: string[], path = "/x"): Promise<RunResult> {
  return run(["--progress", "none", ...options, server.url(path)], { cwd });
}

function expectFile(octets: Buffer): void {
  expect(readFileSync(at("x")).equals(octets)).toBe(true);
  expect(existsSync(at("x.ftpull"))).toBe(false);
}

describe("-c with a partial file", () => {
  it("that has all octets of another document begins at 0 if the server sends none of them", async () => {
    const modified = new Date("2020-01-02T03:04:05Z");
    const server = await startServer({ files: { x: { content, modified } } });
    server.on("RETR#1", transfer({ content: [] }));
    leavePart(at("x"), other, { url: server.url("/x"), size, modified });
    const { status } = await fetch(server, ["-c"]);
    expect([status, server.sent("REST")]).toEqual([0, [`REST ${size - 4096}`]]);
    expectFile(content);
  });

  it("asks for the rest of the same document, and for 4 KiB before it", async () => {
    const server = await interrupted();
    const { status, stderr } = await fetch(server, ["-c"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(server.commands).toContain(`REST ${cutAt - 4096}`);
    expectFile(content);
  });

  it.each<[claim: string, because: string, change: Record<string, Action>, now?: Buffer]>([
    [
      "of a document of another size",
      "the document has changed on the server",
      { SIZE: "213 15000" },
      other.subarray(0, 15_000),
    ],
    [
      "of a document of another time",
      "the document has changed on the server",
      { MDTM: "213 20240102030405" },
      other,
    ],
    [
      "of other octets, though size and time are the same",
      "what is here is not the beginning of the document",
      {},
      other,
    ],
    [
      "where REST is refused",
      'cannot go on at octet 7904: server replied 502 "No"',
      { REST: "502 No" },
    ],
    [
      "where the server says 350 and begins at 0",
      "what is here is not the beginning of the document",
      { REST: "350 Yes" },
    ],
  ])("begins again %s", async (_claim, because, change, now = content) => {
    const server = await interrupted();
    server.on("RETR", transferFrom(now));
    for (const [verb, action] of Object.entries(change)) server.on(verb, action);
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toBe(`ftpull: ${server.url("/x")}: ${because}; beginning again\n`);
    expect(status).toBe(0);
    expectFile(now);
  });

  it("begins again where the server begins at 0 and the octets are the same everywhere", async () => {
    const server = await interrupted(same);
    server.on("REST", "350 Yes");
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: the server sent more than ${size} octets; beginning again\n`,
    );
    expect(status).toBe(0);
    expectFile(same);
  });

  it.each<[claim: string, state: string | undefined]>([
    ["is lost", undefined],
    ["is broken off", '{"url":"ftp://'],
    ["isn't JSON", "\0\0\0"],
    ["is null", "null"],
    ["has another form", '{"url":1,"size":"2","modified":[]}'],
  ])("begins again where its state %s", async (_claim, state) => {
    const server = await interrupted();
    if (state === undefined) rmSync(at("x.ftpull/state.json"));
    else writeFileSync(at("x.ftpull/state.json"), state);
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toContain("nothing is known of the partial file here; beginning again\n");
    expect(status).toBe(0);
    expectFile(content);
  });

  it("never goes on with a text, of which nothing stays", async () => {
    const text = Buffer.from("a line\n".repeat(3000));
    const server = await startServer({ files: { x: text }, on: { "RETR#1": cut } });
    expect((await fetch(server, ["-t", "1"], "/x;type=a")).status).toBe(8);
    expect(readdirSync(cwd)).toEqual([]);
    const { status, stderr } = await fetch(server, ["-c"], "/x;type=a");
    expect([status, stderr]).toEqual([0, ""]);
    expectFile(text);
  });
});

describe("-c with a plain file", () => {
  const put = (octets: Buffer): void => writeFileSync(at("x"), octets);

  const modified = new Date("2026-01-02T03:04:05Z");
  const x = { content, modified };

  it.each([
    ["of another time", {}],
    ["of unknown age", { MDTM: "500 unknown" }],
  ])(
    "compares the end of one that is as long and %s, says so even with -q, and leaves it its time",
    async (_age, on) => {
      put(content);
      const server = await startServer({ files: { x }, on });
      const { mtime } = statSync(at("x"));
      const { status, stderr } = await fetch(server, ["-c", "-q"]);
      const said =
        'ftpull: warning: "x" had all octets: only the last 4096 were compared (-f fetches it anew)\n';
      expect([status, stderr]).toEqual([0, said]);
      expect(server.commands).toContain(`REST ${content.length - 4096}`);
      expectFile(content);
      expect(statSync(at("x")).mtime).toEqual(mtime);
    },
  );

  it("compares all of one that is as long and short, and gives it the time", async () => {
    const short = content.subarray(0, 4096);
    put(short);
    const server = await startServer({ files: { x: { content: short, modified } } });
    expect(await fetch(server, ["-c"])).toMatchObject({ status: 0, stderr: "" });
    expectFile(short);
    expect(statSync(at("x")).mtime).toEqual(modified);
  });

  const edited = Buffer.concat([Buffer.from("other"), content.subarray(5)]);

  it("replaces one as long that is older, whatever its end is", async () => {
    put(edited);
    utimesSync(at("x"), 0, 0);
    const server = await startServer({ files: { x } });
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toMatch(/: the document is newer than .*; beginning again\n$/);
    expect(status).toBe(0);
    expectFile(content);
  });

  it("fails with one that is longer, and keeps it", async () => {
    put(content);
    const server = await startServer({ files: { x: content.subarray(0, cutAt) } });
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toBe(
      `ftpull: ${server.url("/x")}: the file here has 20000 octets, the server's 12000: it can't be continued\n` +
        "hint: replace it with -f, or keep both by leaving out -c\n",
    );
    expect(status).toBe(9);
    expectFile(content);
  });

  it("with -r replaces one that is no beginning, but only when the document is whole", async () => {
    put(other.subarray(0, cutAt));
    const server = await startServer({
      files: { x: content },
      on: { "RETR#2": transfer({ first: 100, completion: "550 Cannot read" }) },
    });
    expect((await fetch(server, ["-r", "-c", "-t", "1"])).status).toBe(8);
    expect(readFileSync(at("x"))).toEqual(other.subarray(0, cutAt));
    expect((await fetch(server, ["-r", "-c"])).status).toBe(0);
    expectFile(content);
  });

  it("with -N replaces one that is no beginning", async () => {
    put(other.subarray(0, cutAt));
    const server = await startServer({ files: { x } });
    expect(await fetch(server, ["-N", "-c"])).toMatchObject({ status: 0, stderr: "" });
    expectFile(content);
  });
});

describe("-c alone, with a plain file in the document's place that may be the user's own", () => {
  const begun = content.subarray(0, cutAt);
  /** The document's first 8 KiB, and then others. */
  const mixed = Buffer.concat([content.subarray(0, 8192), other.subarray(8192, cutAt)]);
  const elsewhere = other.subarray(0, cutAt);
  const noBeginning = "the file here is not the beginning of the server's";
  const beginsAtZero = { REST: "350 Yes" };
  const refusesRest = { REST: "502 No" };
  const tellsNoSize = { SIZE: "500 No" };

  const serve = (on: Record<string, Action>, document = content) =>
    startServer({ files: { x: document }, on });

  /** Expects a refusal with its hint, and nothing changed. */
  async function expectRefused(
    server: ScriptedServer,
    here: Buffer,
    because: string,
    words = ["-c"],
  ) {
    writeFileSync(at("x"), here);
    const { status, stderr } = await fetch(server, words);
    const url = server.url("/x");
    expect(stderr.replace(/^.*; beginning again\n/, "")).toBe(
      `ftpull: ${url}: ${because}: it can't be continued\n` +
        "hint: replace it with -f, or keep both by leaving out -c\n",
    );
    expect(status).toBe(9);
    expect(readdirSync(cwd)).toEqual(["x"]);
    expectFile(here);
    return stderr;
  }

  it.each<[claim: string, on: Record<string, Action>, here: Buffer, transfers: number]>([
    ["its end differs", {}, elsewhere, 1],
    ["only its end differs", {}, mixed, 1],
    ["it is as long, and not older", {}, other, 1],
    ["the server begins at 0, and it differs there", beginsAtZero, elsewhere, 1],
    ["the server begins at 0, and it differs later", beginsAtZero, mixed, 2],
    ["REST is refused, and it differs", refusesRest, elsewhere, 1],
    ["REST is refused, and it differs later", refusesRest, mixed, 1],
    ["the server doesn't tell the size, and it differs later", tellsNoSize, mixed, 1],
  ])("is refused if %s", async (_claim, on, here, transfers) => {
    const server = await serve(on);
    await expectRefused(server, here, noBeginning);
    expect(server.sent("RETR")).toHaveLength(transfers);
  });

  it("is refused if it is longer than a document of unknown size", async () => {
    const server = await serve(tellsNoSize, begun);
    await expectRefused(server, content, "the file here has 20000 octets, the server's 12000");
  });

  it("is refused under the name of -O, too", async () => {
    await expectRefused(await serve({}), elsewhere, noBeginning, ["-c", "-O", "x"]);
  });

  it("is refused if a converted text doesn't begin with it", async () => {
    const server = await startServer({ files: { x: "one\ntwo\nthree\n" } });
    writeFileSync(at("x"), "one\nfour\n");
    const { status, stderr } = await fetch(server, ["-c"], "/x;type=a");
    expect(stderr).toContain(`${noBeginning}: it can't be continued\n`);
    expect([status, readFileSync(at("x"), "utf8")]).toEqual([9, "one\nfour\n"]);
    writeFileSync(at("x"), "one\ntwo\n");
    expect(await fetch(server, ["-c"], "/x;type=a")).toMatchObject({ status: 0 });
    expect(readFileSync(at("x"), "utf8")).toBe("one\ntwo\nthree\n");
  });

  it("is refused if it doesn't fit the first of several segments", async () => {
    const size = 6 * 1024 * 1024;
    const modified = new Date("2026-01-02T03:04:05Z");
    const server = await startServer({ files: { x: { size, seed: 1, modified } } });
    await expectRefused(server, elsewhere, noBeginning, ["-c", "-s", "3"]);
  });

  it("leaves no folder if it is refused when another segment has come", async () => {
    const size = 6 * 1024 * 1024;
    const modified = new Date("2026-01-02T03:04:05Z");
    const server = await startServer({ files: { x: { size, seed: 1, modified } } });
    const further = new Gate();
    server.on(`REST ${cutAt - 4096}`, [until(further.opened), proceed]);
    server.on("RETR#1", [proceed, () => further.open()]);
    await expectRefused(server, elsewhere, noBeginning, ["-c", "-s", "2"]);
    expect(server.sent("RETR").length).toBeGreaterThan(1);
    await expectRefused(server, elsewhere, noBeginning);
  });

  it.each<[claim: string, on: Record<string, Action>, because: string]>([
    ["the server begins at 0", beginsAtZero, "what is here is not the beginning of the document"],
    ["REST is refused", refusesRest, 'cannot go on at octet 7904: server replied 502 "No"'],
    ["the server doesn't tell the size", tellsNoSize, "the server doesn't tell the size"],
  ])("is replaced by a document that begins with it: %s", async (_claim, on, because) => {
    writeFileSync(at("x"), begun);
    const server = await serve(on);
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toBe(`ftpull: ${server.url("/x")}: ${because}; beginning again\n`);
    expect(status).toBe(0);
    expectFile(content);
  });

  it("is compared where the octets are the same everywhere, and the server begins at 0", async () => {
    const server = await serve(beginsAtZero, same);
    writeFileSync(at("x"), same.subarray(0, cutAt));
    const { status, stderr } = await fetch(server, ["-c"]);
    expect(stderr).toContain(`the server sent more than ${size} octets; beginning again\n`);
    expect(status).toBe(0);
    expectFile(same);
    await expectRefused(
      server,
      Buffer.concat([other.subarray(0, 5000), same.subarray(0, 5000)]),
      noBeginning,
    );
  });

  it("isn't replaced by a later run, where a transfer broke before all of it was compared", async () => {
    const server = await serve({
      ...refusesRest,
      RETR: transfer({ first: 9000, completion: "426 Cut" }),
    });
    writeFileSync(at("x"), mixed);
    const broken = await serve({
      ...refusesRest,
      RETR: transfer({ first: 8000, completion: "426 Cut" }),
    });
    expect((await fetch(broken, ["-c", "-t", "1"])).status).toBe(8);
    expect(readdirSync(cwd)).toEqual(["x"]);
    await expectRefused(server, mixed, noBeginning);
  });

  it("is replaced by a document that a checksum verifies", async () => {
    writeFileSync(at("x"), elsewhere);
    const sha256 = createHash("sha256").update(content).digest("hex");
    const { status } = await fetch(await serve({}), ["-c", "--checksum", `sha256:${sha256}`]);
    expect(status).toBe(0);
    expectFile(content);
  });

  it("is refused among the files of a pattern, of which the others arrive", async () => {
    const server = await startServer({ files: { "d/x": content, "d/y": "y" } });
    writeFileSync(at("x"), elsewhere);
    const { status, stderr } = await fetch(server, ["-c"], "/d/*");
    expect(stderr).toContain(`${noBeginning}: it can't be continued\n`);
    expect([status, readdirSync(cwd)]).toEqual([9, ["x", "y"]]);
    expectFile(elsewhere);
  });
});

describe("-c with a file that another program has begun in pieces", () => {
  /** The middle is a hole, the end is the document's. */
  const pieces = Buffer.from(content).fill(0, 5000, 10_000);
  const words = (record: string) => `"x" was begun in pieces by another program ("${record}")`;
  const records = ["x.aria2", "x.lftp-pget-status", "x.st"];

  const put = (record: string, octets = pieces): void => {
    writeFileSync(at("x"), octets);
    writeFileSync(at(record), "record");
  };

  it.each(records.flatMap((record) => [size, cutAt].map((octets) => [record, octets] as const)))(
    "refuses it, and names %s: %i octets",
    async (record, octets) => {
      put(record, pieces.subarray(0, octets));
      const server = await startServer({ files: { x: content } });
      const { status, stderr } = await fetch(server, ["-c"]);
      expect(stderr).toBe(
        `ftpull: ${server.url("/x")}: ${words(record)}: it can't be continued\n` +
          "hint: finish it with that program, or replace it with -f\n",
      );
      expect([status, server.sent("RETR")]).toEqual([9, []]);
      expect(readdirSync(cwd).toSorted()).toEqual(["x", record]);
      expect(readFileSync(at("x")).equals(pieces.subarray(0, octets))).toBe(true);
    },
  );

  it.each([
    ["-r", ["-r"]],
    ["a checksum", ["--checksum", `sha256:${createHash("sha256").update(content).digest("hex")}`]],
  ])("begins again with %s", async (_claim, options) => {
    put("x.aria2");
    const server = await startServer({ files: { x: content } });
    const { status, stderr } = await fetch(server, ["-c", ...options]);
    expect(stderr).toContain(`ftpull: ${server.url("/x")}: ${words("x.aria2")}; beginning again\n`);
    expect([status, server.sent("REST")]).toEqual([0, []]);
    expectFile(content);
  });

  it("begins again with -N, which never continues a plain file", async () => {
    put("x.aria2", pieces.subarray(0, cutAt));
    const server = await startServer({ files: { x: content } });
    expect((await fetch(server, ["-c", "-N"])).status).toBe(0);
    expectFile(content);
  });

  it("goes on where a folder of this program's own has octets", async () => {
    const server = await interrupted();
    writeFileSync(at("x.aria2"), "record");
    expect(await fetch(server, ["-c"])).toMatchObject({ status: 0, stderr: "" });
    expectFile(content);
  });
});

describe("within a run", () => {
  it.each<[claim: string, change: Record<string, Action>, because: string]>([
    ["size", { "SIZE#2": "213 20001" }, "the document has changed on the server"],
    ["time", { "MDTM#2": "213 20240102030405" }, "the document has changed on the server"],
    [
      "octets",
      { "RETR#2": transferFrom(other) },
      "what is here is not the beginning of the document",
    ],
  ])(
    "another %s than at the last try ends what went to standard output",
    async (_, on, because) => {
      const server = await startServer({ files: { x: content }, on: { "RETR#1": cut, ...on } });
      const { status, stdoutBytes, stderr } = await fetch(server, ["-O", "-"]);
      expect(stdoutBytes).toEqual(content.subarray(0, cutAt));
      expect(stderr.split("\n").slice(-2)).toEqual([
        `ftpull: ${server.url("/x")}: cannot retrieve "x": server replied 426 "Cut"; ${because}`,
        "",
      ]);
      expect(status).toBe(8);
    },
  );

  describe("a document that is replaced after it was asked about, by one with the same octets here", () => {
    const replaced = Buffer.concat([content.subarray(0, cutAt), other.subarray(cutAt)]);
    const on = {
      MDTM: "213 20240102030405",
      "MDTM#1": "213 20200102030405",
      "MDTM#2": "213 20200102030405",
      RETR: transferFrom(other),
      "RETR#1": cut,
      "RETR#2": transferFrom(replaced),
    };
    const serveReplaced = () => startServer({ files: { x: content }, on });

    it("is fetched anew", async () => {
      const server = await serveReplaced();
      const { status, stderr } = await fetch(server, []);
      expect(stderr).toContain("the document has changed on the server; beginning again\n");
      expect(status).toBe(0);
      expectFile(other);
    });

    it("fails where it has gone to standard output", async () => {
      const server = await serveReplaced();
      const { status, stderr } = await fetch(server, ["-O", "-"]);
      expect(stderr).toContain("the document has changed on the server\n");
      expect(status).toBe(8);
    });
  });
});
