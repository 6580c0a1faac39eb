/** A list of checksums over a session: whole or not at all, and never held in memory. */
import { describe, expect, test } from "vitest";
import { ChecksumList } from "../../../src/checksums/checksum-list.ts";
import { retrieveSums } from "../../../src/documents/verify/sums-file.ts";
import { tlsIdentity } from "../../../src/net/tls.ts";
import { transfer } from "../../support/actions.ts";
import { loopbackCertificate } from "../../support/certificates.ts";
import type { Action } from "../../support/script.ts";
import { openSession } from "../../support/open-session.ts";
import type { ServerOptions } from "../../support/options.ts";
import { startServer } from "../../support/start-server.ts";

const md5 = (digit: number): string => `${digit}`.repeat(32);
const text = `${md5(1)}  a\n${md5(2)}  b\n`;
const plan = {
  cwds: [],
  name: "MD5SUMS",
  action: "retrieve",
  type: "I",
  conversion: "none",
} as const;
const silent = { warning() {}, info() {}, detail() {}, command() {}, reply() {} };

async function sessionOf(options: ServerOptions) {
  const server = await startServer(options);
  const noFiles = { authorities: undefined, certificate: undefined, privateKey: undefined };
  const tls = { implicit: false, ...tlsIdentity(noFiles, false) };
  const session = await openSession(server.port, { observer: silent, tls: options.tls && tls });
  return { server, session };
}

async function retrieved(options: ServerOptions) {
  const { server, session } = await sessionOf(options);
  const list = new ChecksumList("MD5SUMS", '"MD5SUMS"');
  const error = await retrieveSums(session, plan, list, silent).catch((thrown: unknown) => thrown);
  return { server, session, list, error: error as Error | undefined };
}

const files = { MD5SUMS: text };

test("its size is asked for, and its checksums are kept", async () => {
  const { server, list, error } = await retrieved({ files });
  expect(error).toBeUndefined();
  expect(["a", "b"].map((path) => list.at(path))).toEqual([
    [{ algorithm: "md5", value: md5(1) }],
    [{ algorithm: "md5", value: md5(2) }],
  ]);
  expect(server.commands.slice(-4)).toEqual(["TYPE I", "SIZE MD5SUMS", "EPSV", "RETR MD5SUMS"]);
});

test("names are octets", async () => {
  const { list } = await retrieved({ files: { MD5SUMS: `${md5(1)}  ü\n` } });
  expect([...list.paths()]).toEqual(["\xc3\xbc"]);
});

/** More than a list may have: the client ends it. */
const endless = transfer({ content: Buffer.alloc(68 * 1024 * 1024) });

test.each<[claim: string, on: Record<string, Action>, words: RegExp]>([
  ["2 GB long", { SIZE: "213 2147483648" }, /"MD5SUMS": it has more than 67108864 bytes$/],
  ["without an end", { SIZE: "550 unknown", RETR: endless }, /"MD5SUMS": it has more than/],
  [
    "in contradiction to itself",
    { RETR: transfer({ content: `${md5(1)}  a\n${md5(2)}  a\n` }), SIZE: "550 unknown" },
    /^"MD5SUMS" has two md5 checksums of "a": 1+ and 2+$/,
  ],
])("another try can't help where it is %s", async (_claim, on, words) => {
  const { session, error } = await retrieved({ files, on });
  expect(error).toMatchObject({ transient: false });
  expect(error?.message).toMatch(words);
  expect(session.usable).toBe(true);
});

describe("is to be tried again", () => {
  test("over TLS it ends without close_notify, and its size is unknown", async () => {
    const on = { SIZE: "550 unknown", RETR: transfer({ first: 35, end: "cut" }) };
    const { error } = await retrieved({ files, on, tls: loopbackCertificate });
    expect(error).toMatchObject({ transient: true });
    expect(error?.message).toMatch(/without TLS's close_notify: it may have been cut$/);
  });

  test.each<[claim: string, on: Record<string, Action>, words: RegExp]>([
    ["its size is refused for now", { SIZE: "450 busy" }, /450 "busy"/],
    ["it breaks off", { RETR: transfer({ first: 9, completion: "426 cut" }) }, /426 "cut"/],
    [
      "it is shorter than its size",
      { RETR: transfer({ first: 9 }) },
      /^cannot read the checksums in "MD5SUMS": expected 72 bytes, received 9/,
    ],
    [
      "it is longer than its size",
      { SIZE: "213 9" },
      /^cannot read the checksums in "MD5SUMS": expected 9 bytes, received/,
    ],
  ])("where %s", async (_claim, on, words) => {
    const { error } = await retrieved({ files, on });
    expect(error).toMatchObject({ transient: true });
    expect(error?.message).toMatch(words);
  });
});
