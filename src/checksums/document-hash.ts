/** Computes the checksums of a document, while it arrives or from where it is stored. */
import { createHash, type Hash } from "node:crypto";
import type { Checksum, ChecksumAlgorithm } from "./checksum.ts";

export class DocumentHash {
  readonly #expected: readonly Checksum[];
  readonly #hashes: ReadonlyMap<ChecksumAlgorithm, Hash>;
  /** The number of octets so far. */
  octets = 0;

  constructor(expected: readonly Checksum[]) {
    this.#expected = expected;
    this.#hashes = new Map(expected.map(({ algorithm: one }) => [one, createHash(one)]));
  }

  update(chunk: Buffer): void {
    for (const hash of this.#hashes.values()) hash.update(chunk);
    this.octets += chunk.length;
  }

  /** Describes the first checksum that differs; ends the computation. */
  difference(): string | undefined {
    const digests = new Map(Array.from(this.#hashes, ([one, hash]) => [one, hash.digest("hex")]));
    const wrong = this.#expected.find(({ algorithm, hex }) => digests.get(algorithm) !== hex);
    if (wrong === undefined) return undefined;
    return `expected ${wrong.algorithm} ${wrong.hex}, found ${digests.get(wrong.algorithm)}`;
  }
}

/** The same for stored octets, which are not read if no checksum is expected. */
export async function differenceOf(
  stored: AsyncIterable<Buffer>,
  expected: readonly Checksum[],
): Promise<string | undefined> {
  if (expected.length === 0) return undefined;
  const hash = new DocumentHash(expected);
  for await (const piece of stored) hash.update(piece);
  return hash.difference();
}
