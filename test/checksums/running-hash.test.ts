import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { ChecksumAlgorithm } from "../../src/checksums/checksum.ts";
import { runningHash } from "../../src/checksums/running-hash.ts";

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
] as const)("of %j, %s is %s", (text, algorithm, expected) => {
  expect(digest(algorithm, Buffer.from(text))).toBe(expected);
});

const printed: [length: number, sum: string][] = [
  [0, "00000 0"],
  [1, "00000 1"],
  [2, "00239 1"],
  [3, "33109 1"],
  [4, "49527 1"],
  [5, "57719 1"],
  [7, "31053 1"],
  [8, "48431 1"],
  [9, "57103 1"],
  [15, "63421 1"],
  [16, "64479 1"],
  [17, "65247 1"],
  [255, "63361 1"],
  [256, "64465 1"],
  [1023, "53117 1"],
  [1024, "59344 1"],
  [1025, "29674 2"],
  [65536, "36846 64"],
  [70001, "05005 69"],
];

test.each(printed)("%i bytes have sum %s", (length, expected) => {
  expect(digest("sum", octetsOf(length))).toBe(expected);
});

test.each(["sum", "md5"] as const)(
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

test("the others are node:crypto's", () => {
  const octets = octetsOf(1000);
  for (const algorithm of ["md5", "sha1", "sha256", "sha512"] as const)
    expect(digest(algorithm, octets)).toBe(createHash(algorithm).update(octets).digest("hex"));
});
