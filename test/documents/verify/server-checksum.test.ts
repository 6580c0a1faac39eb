/** What a server is asked for its own checksums, and which of its replies are checksums. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { serverEvidence } from "../../../src/documents/verify/server-checksum.ts";
import { openSession } from "../../support/open-session.ts";
import type { Action } from "../../support/script.ts";
import { startServer } from "../../support/start-server.ts";
import { octets } from "../../support/tree.ts";

const text = "hello\n";
const sum = (algorithm: string): string => createHash(algorithm).update(text).digest("hex");

interface Circumstances {
  readonly name?: string;
  readonly features: readonly string[];
  readonly on?: Record<string, Action>;
  readonly type?: string;
}

/** Asks a server for the checksum of a file of six octets, over and over. */
async function asking({ name = "x", features, on = {}, type = "I" }: Circumstances) {
  const server = await startServer({ files: { [`pub/${name}`]: text }, features, on });
  const conversion = type === "A" ? "ascii" : "none";
  const plan = { cwds: ["pub"], name: octets(name), action: "retrieve", type, conversion } as const;
  let session = await openSession(server.port);
  const ask = async () => (await serverEvidence(session, plan, text.length))?.checksums[0];
  const again = async () => void (session = await openSession(server.port));
  const asked = () =>
    server.commands.filter((line) => /^(?:HASH|RANG|OPTS HASH|X(?!PWD))/.test(line));
  return { ask, again, asked, server };
}

const hash = "HASH CRC32;MD5;SHA-1*;SHA-256;SHA-512;";

test.each([
  ["the strongest one", [hash], "x", ["OPTS HASH SHA-512", "HASH x"]],
  ["names in UTF-8", ["HASH MD5*"], "n\u00e4h", [`HASH ${octets("n\u00e4h")}`]],
  ["names with blanks in quotes", ["XMD5"], "a b 0 3", ['XMD5 "a b 0 3"']],
  ["nothing for names with quotes", ["XMD5"], 'a"b', []],
  ["nothing where FEAT names nothing", ["SIZE", "MD5"], "x", []],
])("the server is asked for %s", async (_claim, features, name, expected) => {
  const { ask, asked } = await asking({ features, name });
  expect(await ask()).toBeUndefined(); // 500
  expect(asked()).toEqual(expected);
});

test.each([
  ["HASH SHA-256", "HASH", `213-Computing\r\n213 SHA-256 0-6 ${sum("sha256")} x`, sum("sha256")],
  ["XSHA256", "XSHA256", `250-Computing\r\n250 ${sum("sha256")}`, sum("sha256")],
  ["XMD5", "XMD5", `251 x ${sum("md5")}`, sum("md5")],
  ["busy", "XMD5", "450 later", undefined],
])("%s: %s is answered by %j", async (what, command, reply, value) => {
  const features = [what === "busy" ? command : what];
  const { ask } = await asking({ features, on: { [command]: reply, OPTS: "200 SHA-256" } });
  expect((await ask())?.value).toBe(value);
});

test("OPTS HASH is sent once a session, together with HASH", async () => {
  const reply = `213 SHA-512 0-6 ${sum("sha512")} x`;
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

test("a text that is converted has no checksum of the server's", async () => {
  const { ask, asked } = await asking({ features: ["XMD5"], type: "A" });
  expect(await ask()).toBeUndefined();
  expect(asked()).toEqual([]);
});
