/** What a server is asked for its own checksums, and which of its replies are checksums. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { serverEvidence } from "../../../src/documents/verify/server-checksum.ts";
import { close, stall } from "../../support/actions.ts";
import { openSession } from "../../support/open-session.ts";
import type { ServerOptions } from "../../support/options.ts";
import type { Action } from "../../support/script.ts";
import { startServer } from "../../support/start-server.ts";
import { octets } from "../../support/tree.ts";

const text = "hello\n";
const sums = Object.fromEntries(
  ["md5", "sha1", "sha256", "sha512"].map((one) => [
    one,
    createHash(one).update(text).digest("hex"),
  ]),
);
const crc = "363a3020";

interface Circumstances {
  readonly name?: string;
  readonly features: readonly string[];
  readonly on?: Record<string, Action>;
  readonly pipelining?: boolean;
  readonly type?: string;
  readonly timeoutMs?: number;
}

/** Asks a server for the checksum of a file of six octets, over and over. */
async function asking({
  name = "x",
  features,
  on,
  pipelining = true,
  type = "I",
  timeoutMs = 30_000,
}: Circumstances) {
  const files = { [`pub/${name}`]: text };
  const server = await startServer({ files, features, on } as ServerOptions);
  const capabilities = { pipelining, extendedPassive: true, extendedActive: true, host: {} };
  const action = "retrieve";
  const conversion = type === "A" ? "ascii" : "none";
  const plan = { cwds: ["pub"], name: octets(name), action, type, conversion } as const;
  const open = () => openSession(server.port, { timeoutMs, capabilities });
  let session = await open();
  const ask = async () => (await serverEvidence(session, plan, text.length))?.checksums[0];
  const again = async () => void (session = await open());
  const asked = () =>
    server.commands.filter((line) => /^(?:HASH|RANG|OPTS HASH|X(?!PWD))/.test(line));
  return { ask, again, asked, server };
}

const hash = "HASH CRC32;MD5;SHA-1*;SHA-256;SHA-512;";

test.each([
  ["the strongest one", [hash], "x", ["OPTS HASH SHA-512", "HASH x"]],
  ["the one in force", ["HASH SHA-256*;SHA-1"], "x", ["HASH x"]],
  ["names as they are", ["HASH MD5*"], 'say "a b"', ['HASH say "a b"']],
  ["names in UTF-8", ["HASH MD5*"], "n\u00e4h", [`HASH ${octets("n\u00e4h")}`]],
  ["XSHA512 before HASH with less", ["HASH MD5*", "XSHA512"], "x", ["XSHA512 x"]],
  ["XSHA before XMD5", ["XMD5", "XSHA", "XCRC"], "x", ["XSHA x"]],
  ["XCRC last", ["XCRC"], "x", ["XCRC x"]],
  ["names with blanks in quotes", ["XMD5"], "a b 0 3", ['XMD5 "a b 0 3"']],
  ["nothing for names with quotes", ["XMD5"], 'a"b', []],
  ["nothing where FEAT names nothing", ["SIZE", "MD5"], "x", []],
])("the server is asked for %s", async (_claim, features, name, expected) => {
  const { ask, asked } = await asking({ features, name });
  expect(await ask()).toBeUndefined(); // 500
  expect(asked()).toEqual(expected);
});

test.each([
  ["HASH SHA-256", "HASH", `213-Computing\r\n213 SHA-256 0-6 ${sums["sha256"]} x`, sums["sha256"]],
  ["HASH SHA-256", "HASH", `213 SHA-256 0-5 ${sums["sha256"]} /pub/x`, sums["sha256"]],
  ["XSHA512", "XSHA512", `250 ${sums["sha512"]?.toUpperCase()}`, sums["sha512"]],
  ["XSHA256", "XSHA256", `250-Computing\r\n250 ${sums["sha256"]}`, sums["sha256"]],
  ["XSHA1", "XSHA1", `213 "/pub/x" ${sums["sha1"]}`, sums["sha1"]],
  ["XMD5", "XMD5", `251 x ${sums["md5"]}`, sums["md5"]],
  ["XCRC", "XCRC", `250 ${crc.toUpperCase()}`, crc],
  ["another range", "HASH", `213 SHA-256 0-3 ${sums["sha256"]} x`, undefined],
  ["another algorithm", "HASH", `213 MD5 0-6 ${sums["md5"]} x`, undefined],
  ["another name", "HASH", `213 SHA-256 0-6 ${sums["sha256"]} y`, undefined],
  ["no digits", "HASH", "213 SHA-256 0-6 done x", undefined],
  ["nothing", "HASH", "213 ", undefined],
  ["busy", "HASH", "450 later", undefined],
  ["refused", "HASH", "556 too large", undefined],
])("%s: %s is answered by %j", async (what, command, reply, value) => {
  const feature = command === "HASH" ? "HASH SHA-256" : what;
  for (const pipelining of [true, false]) {
    const { ask } = await asking({
      features: [feature],
      on: { [command]: reply, OPTS: "200 SHA-256" },
      pipelining,
    });
    expect((await ask())?.value).toBe(value);
  }
});

test("OPTS HASH is sent once a session, together with HASH", async () => {
  const reply = `213 SHA-512 0-6 ${sums["sha512"]} x`;
  const { ask, again, asked, server } = await asking({ features: [hash], on: { HASH: reply } });
  expect((await ask())?.algorithm).toBe("sha512");
  const { roundTrips } = server;
  expect((await ask())?.algorithm).toBe("sha512");
  expect(server.roundTrips - roundTrips).toBe(1);
  await again();
  await ask();
  const first = ["OPTS HASH SHA-512", "HASH x"];
  expect(asked()).toEqual([...first, "HASH x", ...first]);
});

test("where OPTS HASH is refused, the checksum in another algorithm doesn't count", async () => {
  const reply = `213 SHA-1 0-6 ${sums["sha1"]} x`;
  const { ask, asked } = await asking({
    features: [hash],
    on: { "OPTS HASH SHA-512": "501 no", HASH: reply },
  });
  expect([await ask(), await ask()]).toEqual([undefined, undefined]);
  expect(asked()).toEqual(["OPTS HASH SHA-512", "HASH x", "HASH x"]);
});

test.each([
  ["never answers", stall, 2000],
  ["hangs up", close],
  ["ends the session", ["421 too slow", close]],
  ["doesn't speak FTP", "\u0000garbage"],
] as const)("a server that %s is asked once for a file of that size", async (...row) => {
  const [, action, timeoutMs] = row;
  const { ask, again, asked } = await asking({
    features: ["XMD5"],
    on: { XMD5: action },
    ...(timeoutMs && { timeoutMs }),
  });
  await expect(ask()).rejects.toMatchObject({ kind: "network", transient: true });
  await again();
  expect(await ask()).toBeUndefined();
  expect(asked()).toEqual(["XMD5 x"]);
});

test("a text that is converted has no checksum of the server's", async () => {
  const { ask, asked } = await asking({ features: ["XMD5"], type: "A" });
  expect(await ask()).toBeUndefined();
  expect(asked()).toEqual([]);
});
