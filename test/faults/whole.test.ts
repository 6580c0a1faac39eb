/** Which files are whole, and what becomes of the others: cut, changed, unconfirmed, of unknown length. */
import { describe, expect, test } from "vitest";
import { close, proceed, reset, stall, transfer, transferFrom } from "../support/actions.ts";
import { generatedOctets } from "../support/generated.ts";
import { cwd, names, octetsOf, ownDirectory } from "../support/own-directory.ts";
import { run } from "../support/run-here.ts";
import type { Action, Step } from "../support/script.ts";
import type { ScriptedServer } from "../support/scripted-server.ts";
import { startServer } from "../support/start-server.ts";
import { ChangingFile } from "./support/changing-file.ts";

const size = 200_000;
const cutAt = 120_000;
const whole = generatedOctets(1, 0, size);
const other = generatedOctets(2, 0, size + 4000);
const log = (length: number): Buffer => generatedOctets(1, 0, length);

ownDirectory();

const fetch = (server: ScriptedServer, options: readonly string[] = [], path = "/x") =>
  run(["--progress", "none", ...options, server.url(path)], { cwd });

async function expectFile(server: ScriptedServer, octets = whole, options: string[] = []) {
  const { status, stderr } = await fetch(server, options);
  expect(status, stderr).toBe(0);
  expect(names()).toEqual(["x"]);
  expect(octetsOf("x").equals(octets), stderr).toBe(true);
  return stderr;
}

const serve = (on: Record<string, Action>): Promise<ScriptedServer> =>
  startServer({ files: { x: whole }, on });

const opening = "150 Opening BINARY mode data connection for x";

describe.each<[claim: string, on: Record<string, Action>, preliminary: string]>([
  ["in the 150", { SIZE: "500 what?" }, `${opening} (${size} bytes).`],
  ["by SIZE with its unit", { SIZE: `213 ${size} bytes` }, opening],
])("a length that is told %s", (_claim, on, preliminary) => {
  test("shows that a file was cut", async () => {
    const RETR = transfer({ first: size / 2, preliminary, completion: "226 done" });
    const { status, stderr } = await fetch(await serve({ ...on, RETR }), ["-t", "1"]);
    expect(stderr).toContain(`expected ${size} bytes, received ${size / 2}`);
    expect([status, names().includes("x")]).toEqual([9, false]);
  });

  test("makes it whole though the end isn't confirmed", async () => {
    await expectFile(await serve({ ...on, RETR: transfer({ preliminary, completion: [] }) }));
  });
});

test("the bytes of a text aren't counted by the 150", async () => {
  const RETR = transfer({ preliminary: `${opening} (${size + 9} bytes)` });
  const server = await startServer({ files: { x: "text" }, on: { RETR } });
  expect((await fetch(server, [], "/x;type=a")).status).toBe(0);
});

describe("where the size is unknown", () => {
  const SIZE = "550 no";

  test.each<[manner: string, loss: Action, words: string]>([
    ["reset", reset, "connection reset by peer"],
    ["closed", close, "the server closed the control connection"],
    ["silent", stall, "the server sent no reply for 4 s"],
  ])(
    "a control connection that is %s behind the data is a failure",
    async (_manner, loss, words) => {
      const server = await serve({ SIZE, RETR: transfer({ completion: loss }) });
      const { status, stderr } = await fetch(server, ["-t", "1", "-T", "4"]);
      expect(stderr).toBe(`ftpull: ${server.url("/x")}: ${words}; nothing was kept\n`);
      expect([status, names()]).toEqual([4, []]);
    },
  );

  test.each([
    ["passive", false],
    ["passive", true],
    ["active", false],
  ])("226 makes no whole file of %s data that was reset (226 first: %s)", async (mode, early) => {
    const cut = transfer({ first: 83, end: "reset", early, completion: "226 done" });
    const words = ["-t", "1", "-T", "5", "-O", "-", ...(mode === "active" ? ["--active"] : [])];
    const server = await startServer({ files: { x: log(790) }, on: { SIZE, RETR: cut } });
    for (let runs = 0; runs < 6; runs += 1) {
      const { status, stderr, stdoutBytes } = await fetch(server, words);
      expect(stdoutBytes.length).toBeLessThan(790);
      expect(status, stderr).not.toBe(0);
    }
  });

  test.each(["426", "451", "nothing"])("%s behind a cut: it begins again", async (code) => {
    const completion = code === "nothing" ? [] : `${code} Cut`;
    const server = await serve({ SIZE, MDTM: SIZE, "RETR#1": transfer({ first: 1, completion }) });
    await expectFile(server, whole, ["-T", "3"]);
  });
});

test("tries that bring something use up none", async () => {
  const some = transfer({ first: 4096 + 30_000, completion: "426 Cut" });
  await expectFile(await serve({ RETR: some, "RETR#5": proceed }), whole, ["-t", "3"]);
});

describe("a refusal (5yz)", () => {
  test.each(["500 OOPS: vsf_sysutil_recv_peek: no data", "552 Quota exceeded"])(
    "behind half of a file is a break: %s",
    async (reply) => {
      const half: Step = (exchange) =>
        transfer({ first: size / 2 - exchange.session.offset, completion: reply })(exchange);
      const server = await serve({ "RETR#1": half });
      expect(await expectFile(server)).toContain(`${reply.slice(4)}"; trying again in `);
      expect(server.sent("RETR", "REST")).toEqual(["RETR x", "REST 95904", "RETR x"]);
    },
  );

  test.each(["550 No such file", "500 OOPS: no"])("before any data is final: %s", async (reply) => {
    const server = await serve({ RETR: transfer({ first: 0, completion: reply }) });
    const { status, stderr } = await fetch(server, [], "/x;type=i");
    expect(stderr).not.toContain("trying again");
    expect([status, server.sent("RETR").length]).toEqual([8, 1]);
  });

  test("behind all bytes leaves it whole if size and time are the same, with a note", async () => {
    const server = await serve({ "RETR#1": transfer({ completion: "550 Read error" }) });
    expect(await expectFile(server)).toMatch(/: all 200000 bytes arrived, but .*550/);
    expect([server.sent("SIZE").length, server.sent("RETR").length]).toEqual([2, 1]);
  });
});

describe("a resumed file is asked about once more", () => {
  const cut = transfer({ first: cutAt, completion: "426 Cut" });

  test.each<[claim: string, on: Record<string, Action>]>([
    ["where SIZE is answered 450 once", { "SIZE#3": "450 Busy" }],
    ["where the server closes behind the 226", { "SIZE#3": close }],
    ["where the connection is lost before it", { "RETR#2": transfer({ completion: close }) }],
  ])("%s, by the next try, which fetches nothing", async (_claim, on) => {
    const server = await serve({ "RETR#1": cut, ...on });
    await expectFile(server);
    expect(server.sent("REST")).toEqual([`REST ${cutAt - 4096}`]);
  });

  test("and is no file, but stays, where it isn't answered", async () => {
    const told = { "SIZE#1": proceed, "SIZE#2": proceed };
    const server = await serve({ "RETR#1": cut, SIZE: "450 Busy", ...told });
    const { status, stderr } = await fetch(server, ["-t", "2"]);
    expect(stderr).toContain("the same command goes on from there\n");
    expect([status, names()]).toEqual([8, ["x.ftpull", "x.ftpull.json"]]);
    server.on("SIZE", proceed);
    await expectFile(server);
    expect(server.sent("REST").at(-1)).toBe(`REST ${size - 4096}`);
  });

  test("and begins again where it is gone, and is refused", async () => {
    const told = ["SIZE#1", "SIZE#2", "MDTM#1", "MDTM#2", "RETR#2"].map((verb) => [verb, proceed]);
    const gone = { SIZE: "550 Gone", MDTM: "550 Gone", RETR: "550 Gone", "RETR#1": cut };
    const { status, stderr } = await fetch(await serve({ ...gone, ...Object.fromEntries(told) }));
    expect(stderr).toContain("the file has changed on the server; beginning again\n");
    expect([status, names()]).toEqual([8, ["x.ftpull", "x.ftpull.json"]]);
  });
});

describe("a file that changes while it is fetched", () => {
  const changed = "the file has changed on the server; beginning again";
  const mixture = Buffer.concat([whole.subarray(0, cutAt), other.subarray(cutAt)]);

  /** What happens at the first RETR, what is saved, the words about it, and the number of transfers. */
  type Change = [string, (file: ChangingFile) => Step, saved: Buffer, words: string, count: number];

  test.each<Change>([
    [
      "grows, as a log does",
      (file) => (exchange) => (file.change(log(size + 9)), file.send()(exchange)),
      log(size + 9),
      `the file has grown to ${size + 9} bytes`,
      1,
    ],
    [
      "is replaced by a longer one between SIZE and RETR",
      (file) => (exchange) => (file.change(other), file.send()(exchange)),
      other,
      "",
      1,
    ],
    [
      "is replaced by renaming",
      (file) => (exchange) => (file.change(other), transferFrom(whole)(exchange)),
      whole,
      "",
      1,
    ],
    [
      "is replaced between two tries",
      (file) => async (exchange) => {
        await file.send({ first: 70_000, completion: "426 Cut" })(exchange);
        file.change(other);
      },
      other,
      changed,
      2,
    ],
    [
      "is replaced by a shorter one, of which more came",
      (file) => (exchange) => (file.change(log(50)), transferFrom(log(size + 1))(exchange)),
      log(50),
      changed,
      2,
    ],
  ])("%s", async (_claim, first, saved, words, count) => {
    const file = new ChangingFile(whole);
    const server = await file.serve({ "RETR#1": first(file) });
    const { status, stderr } = await fetch(server, [], "/d/x");
    expect([status, names(), octetsOf("x").equals(saved)], stderr).toEqual([0, ["x"], true]);
    expect(stderr).toContain(words);
    expect(server.sent("RETR")).toHaveLength(count);
  });

  test("is replaced while it is resumed, alike at the break", async () => {
    const told = { MDTM: "213 20240102030405", "MDTM#1": proceed, "MDTM#2": proceed };
    const first = { "RETR#1": transfer({ first: cutAt, completion: "426 Cut" }) };
    const second = { "RETR#2": transferFrom(mixture) };
    const RETR = transferFrom(other.subarray(0, size));
    const server = await serve({ ...told, RETR, ...first, ...second });
    expect(await expectFile(server, other.subarray(0, size))).toContain(changed);
  });

  test.each([
    [size, size],
    [100, 150],
  ])("isn't whole if SIZE is %i, and then %i, and more comes", async (before, after) => {
    const file = new ChangingFile(log(before));
    const sent = transferFrom(log(size + 4000));
    const server = await file.serve({
      "RETR#1": (exchange) => (file.change(log(after)), sent(exchange)),
      RETR: sent,
    });
    const { status, stderr } = await fetch(server, ["-t", "2"], "/d/x");
    expect(stderr).toContain(`expected ${after} bytes, received ${size + 4000}`);
    expect([status, names().includes("x")]).toEqual([9, false]);
  });
});
