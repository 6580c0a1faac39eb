/** The checksums of a document, computed while its octets pass by or where they are stored. */
import { createHash, type Hash } from "node:crypto";
import type { Checksum, ChecksumAlgorithm } from "./checksum.ts";

export class DocumentHash {
  readonly #expected: readonly Checksum[];
  readonly #hashes: ReadonlyMap<ChecksumAlgorithm, Hash>;
  /** How many octets have passed by. */
  octets = 0;

  /** `expected` tells what to compute, and to compare with. */
  constructor(expected: readonly Checksum[]) {
    this.#expected = expected;
    this.#hashes = new Map(expected.map(({ algorithm: one }) => [one, createHash(one)]));
  }

  update(chunk: Buffer): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
    this.octets += chunk.length;
  }

  /** The first checksum that isn't as expected, in words; nothing can pass by any more. */
  difference(): string | undefined {
    const digests = new Map(Array.from(this.#hashes, ([one, hash]) => [one, hash.digest("hex")]));
    const wrong = this.#expected.find(({ algorithm, hex }) => digests.get(algorithm) !== hex);
    if (wrong === undefined) return undefined;
    return `expected ${wrong.algorithm} ${wrong.hex}, found ${digests.get(wrong.algorithm)}`;
  }
}

/** How stored octets differ from what is expected, in words; nothing is read for no checksum. */
export async function differenceOf(
  stored: AsyncIterable<Buffer>,
  expected: readonly Checksum[],
): Promise<string | undefined> {
  if (expected.length === 0) return undefined;
  const hash = new DocumentHash(expected);
  for await (const piece of stored) hash.update(piece);
  return hash.difference();
}
