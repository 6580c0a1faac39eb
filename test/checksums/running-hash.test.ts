import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ChecksumAlgorithm } from "../../src/checksums/checksum.ts";
import { runningHash } from "../../src/checksums/running-hash.ts";
import { isLong } from "../support/long.ts";

function digest(algorithm: ChecksumAlgorithm, ...pieces: readonly Uint8Array[]): string {
  const hash = runningHash(algorithm);
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
}

const octetsOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => at * 7919 + (at >>> 9));

test.each([
  ["abc\n", "md5", "0bee89b07a248e27c83fc3d5951213c1"],
  ["abc\n", "sha1", "03cfd743661f07975fa2f1220c5194cbaff48451"],
  ["abc\n", "sha256", "edeaaff3f1774ad2888673770c6d64097e391bc362d7d6fb34982ddf0efd18cb"],
  ["abc\n", "sum", "08288 1"],
  ["abc\n", "cksum", "1112837078 4"],
  ["123456789", "cksum", "930766865 9"],
  ["123456789", "crc32", "cbf43926"],
  ["16660", "crc32", "0000f9ad"],
] as const)("of %j, %s is %s", (text, algorithm, expected) => {
  expect(digest(algorithm, Buffer.from(text))).toBe(expected);
});

const printed: [number, string, string, string][] = [
  [0, "00000 0", "4294967295 0", "00000000"],
  [1, "00000 1", "4215202376 1", "d202ef8d"],
  [2, "00239 1", "2828237643 2", "716ced16"],
  [3, "33109 1", "3827292952 3", "47ccc9e2"],
  [4, "49527 1", "3352376850 4", "79941e1d"],
  [5, "57719 1", "218091331 5", "73aae8ed"],
  [7, "31053 1", "904211284 7", "59f199c6"],
  [8, "48431 1", "1546771300 8", "34384215"],
  [9, "57103 1", "2664047966 9", "e135ca2a"],
  [15, "63421 1", "2917939765 15", "bb9f236e"],
  [16, "64479 1", "3198190098 16", "0fb40c67"],
  [17, "65247 1", "997997322 17", "bc665d66"],
  [255, "63361 1", "1332863092 255", "a003addd"],
  [256, "64465 1", "2822220427 256", "407062bb"],
  [1023, "53117 1", "1282320855 1023", "dd7d5cdc"],
  [1024, "59344 1", "372038996 1024", "ae037d66"],
  [1025, "29674 2", "1278561582 1025", "987349b1"],
  [65536, "36846 64", "453974485 65536", "e17608e7"],
  [70001, "05005 69", "243944223 70001", "83bc2d9b"],
];

test.each(printed)("%i octets have sum %s, cksum %s and zip's CRC %s", (length, ...expected) => {
  const found = (["sum", "cksum", "crc32"] as const).map((one) => digest(one, octetsOf(length)));
  expect(found).toEqual(expected);
});

test.each(["sum", "cksum", "crc32", "md5"] as const)(
  "%s is the same in pieces of any size and alignment",
  (algorithm) => {
    const octets = octetsOf(5000);
    const whole = digest(algorithm, octets);
    for (const size of [1, 3, 7, 8, 9, 1000]) {
      const pieces = [];
      for (let at = 0; at < octets.length; at += size) pieces.push(octets.subarray(at, at + size));
      expect(digest(algorithm, ...pieces)).toBe(whole);
    }
  },
);

test("cksum counts more octets than 32 bits have", { skip: !isLong }, () => {
  const hash = runningHash("cksum");
  const zeros = Buffer.alloc(64 * 1024 * 1024);
  for (let round = 0; round < 65; round += 1) hash.update(zeros);
  expect(hash.digest()).toBe("3189425121 4362076160");
});

test("the others are node:crypto's", () => {
  const octets = octetsOf(1000);
  for (const algorithm of ["md5", "sha1", "sha256", "sha512"] as const)
    expect(digest(algorithm, octets)).toBe(createHash(algorithm).update(octets).digest("hex"));
});
