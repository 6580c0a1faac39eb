import { describe, expect, test } from "vitest";
import {
  parse213Hash,
  parseChecksumReply,
  strongestOffered,
} from "../../src/checksums/server-checksum.ts";
import { parseFeatures, parseReply } from "../../src/ftp/control/reply.ts";

const md5 = "0bee89b07a248e27c83fc3d5951213c1";
const sha1 = "03cfd743661f07975fa2f1220c5194cbaff48451";
const sha256 = "edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb";

test.each([
  [[" SIZE", " MDTM", " MLST type*;size*;"], undefined],
  [[" HASH SHA-256*;SHA-1;MD5"], "HASH sha256"],
  [[" HASH SHA-256;SHA-1*;MD5"], "HASH sha256 SHA-256"],
  [[" HASH CRC32*; SHA-1 ;"], "HASH sha1 SHA-1"],
  [[" HASH CRC32;MD5*"], "HASH md5"],
  [[" HASH CRC32"], "HASH crc32 CRC32"],
  [[" XMD5", " HASH CRC32;MD5;SHA-1*;SHA-256;SHA-512"], "HASH sha512 SHA-512"],
  [[" XSHA1", " HASH SHA-1"], "HASH sha1 SHA-1"],
  [[" XCRC filename;start;end", " XMD5 filename;start;end", " XSHA1 filename"], "XSHA1 sha1"],
  [['211-XCRC "filename" SP EP', "211-XSHA512", "211-xsha256"], "XSHA512 sha512"],
  [["211-XMD5", "211-xsha256"], "XSHA256 sha256"],
  [[" XCRC", " XMD5"], "XMD5 md5"],
  [[" XCRC"], "XCRC crc32"],
  [[" XSHA", " XSHA1"], "XSHA1 sha1"],
  [[" XSHA"], "XSHA sha1"],
  [[" HASH", " HASH SHA-3;WHIRLPOOL;;*", " toString", " __proto__"], undefined],
  [[], undefined],
])("of what FEAT names, %j, the strongest is asked for: %s", (lines, expected) => {
  const reply = parseReply(["211-Features:", ...lines, "211 End"].join("\n"));
  const { command, algorithm, hashName = "" } = strongestOffered(parseFeatures(reply)) ?? {};
  expect(command && `${command} ${algorithm} ${hashName}`.trimEnd()).toBe(expected);
});

describe("a reply to HASH", () => {
  test.each([
    [[`213 SHA-256 0-49 ${sha256} name`], sha256],
    [[`213 SHA-256 0-50 ${sha256} /pub/name`], sha256],
    [[`213 SHA-256 0-50 ${sha256} "/a b/name"`], sha256],
    [[`213 SHA-256 ${sha256} name`], sha256],
    [[`213 SHA-256 0-50 ${sha256}`], sha256],
    [[`213 sha-256 0-50 ${sha256.toUpperCase()} name`], sha256],
    [["213-Computing", `213 SHA-256 0-50 ${sha256} name`], sha256],
    [[`213 SHA-256 0-48 ${sha256} name`], undefined],
    [[`213 SHA-256 0-51 ${sha256} name`], undefined],
    [[`213 SHA-256 1-50 ${sha256} name`], undefined],
    [[`213 SHA-1 0-50 ${sha1} name`], undefined],
    [[`213 SHA3-256 0-50 ${sha256} name`], undefined],
    [[`213 SHA-256 0-50 ${md5} name`], undefined],
    [[`213 SHA-256 0-50 ${sha256}0 name`], undefined],
    [[`213 SHA-256 0-50 name`], undefined],
    [[`213 SHA-256 0-50 ${sha256} other`], undefined],
    [[`213 SHA-256 0-50 ${sha256} a name`], undefined],
    [[`213 SHA-256 0-50 ${sha256} name "b"`], undefined],
    [[`250 SHA-256 0-50 ${sha256} name`], undefined],
    [["213 50"], undefined],
    [[], undefined],
  ])("%j to a document of 50 octets has %s", (lines, expected) => {
    const checksum = expected && { algorithm: "sha256", value: expected };
    expect(parse213Hash(lines, "sha256", "name", 50)).toEqual(checksum);
  });

  test("has the whole of a name with blanks and quotes", () => {
    const named = (reply: string, name: string) =>
      parse213Hash([`213 MD5 0-3 ${md5} ${reply}`], "md5", name, 3)?.value;
    expect(named('say "hi"', 'say "hi"')).toBe(md5);
    expect(named('"hi"', '"hi"')).toBe(md5);
    expect(named("/pub/a b ", "a b ")).toBe(md5);
    expect(named(" a", " a")).toBe(md5);
    expect(named("a", "a b")).toBeUndefined();
    expect(named("b", "a b")).toBeUndefined();
  });

  test("to an empty document, and with a CRC", () => {
    expect(parse213Hash([`213 MD5 0-0 ${md5} name`], "md5", "name", 0)?.value).toBe(md5);
    expect(parse213Hash(["213 CRC32 0-3 F9AD name"], "crc32", "name", 3)?.value).toBe("0000f9ad");
  });
});

test.each([
  ["md5", [`250 ${md5}`], md5],
  ["md5", [`213 ${md5.toUpperCase()}`], md5],
  ["md5", ["250-Computing MD5 digest", `250 ${md5}`], md5],
  ["md5", [`250 "${md5}"`], md5],
  ["md5", [`250 "${md5}" `], md5],
  ["md5", [`250 "/a b.txt" ${md5}`], md5],
  ["md5", [`251 "/a b.txt" ${md5.toUpperCase()}`], md5],
  ["md5", [`250 ${md5} a.txt`], md5],
  ["md5", [`250 /a.txt ${md5}`], md5],
  ["md5", [`250 MD5 = ${md5}`], md5],
  ["sha256", [`250 ${sha256}`], sha256],
  ["md5", [`250 ${md5} ${sha1.slice(0, 32)}`], undefined],
  ["md5", [`250 ${sha256}`], undefined],
  ["md5", [`250 ${md5.slice(1)}`], undefined],
  ["md5", [`250 ${md5}x`], undefined],
  ["md5", [`550 ${md5}`], undefined],
  ["md5", ["250 OK"], undefined],
  ["md5", [], undefined],
  ["crc32", ["250 aae4aae"], "0aae4aae"],
  ["crc32", ["250 AAE4AAE"], "0aae4aae"],
  ["crc32", ["250 0x0AAE4AAE"], "0aae4aae"],
  ["crc32", ['250 "AAE4AAE"'], "0aae4aae"],
  ["crc32", ['250 "a b" AAE4AAE'], "0aae4aae"],
  ["crc32", ["250 0"], "00000000"],
  ["crc32", ["250 aae4aae beef"], undefined],
  ["crc32", ["250 XCRC: aae4aae"], undefined],
  ["crc32", ["250 0aae4aae0"], undefined],
  ["crc32", ["250 done"], undefined],
] as const)("a reply to an X command for %s, %j has %s", (algorithm, lines, value) => {
  expect(parseChecksumReply(lines, algorithm)).toEqual(value && { algorithm, value });
});
