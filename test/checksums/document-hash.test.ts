import { expect, test } from "vitest";
import type { ChecksumAlgorithm } from "../../src/checksums/checksum.ts";
import { DocumentHash } from "../../src/checksums/document-hash.ts";

function digest(algorithm: ChecksumAlgorithm, ...pieces: readonly Uint8Array[]): string {
  const hash = new DocumentHash([{ algorithm, value: "" }]);
  for (const piece of pieces) hash.update(Buffer.from(piece));
  return hash.difference()?.replace(/.* found /, "") ?? "";
}

const octetsOf = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, at) => at * 7919 + (at >>> 9));

test.each([["abc\n", "sum", "08288 1"]] as const)(
  "of %j, %s is %s",
  (text, algorithm, expected) => {
    expect(digest(algorithm, Buffer.from(text))).toBe(expected);
  },
);

const printed: [length: number, sum: string][] = [
  [0, "00000 0"],
  [1, "00000 1"],
  [4, "49527 1"],
  [16, "64479 1"],
  [256, "64465 1"],
  [1023, "53117 1"],
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
