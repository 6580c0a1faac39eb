/** The checksums of a document, computed while its octets pass by or where they are stored. */
import { createHash, type Hash } from "node:crypto";
import type { Checksum, ChecksumAlgorithm } from "../local/checksum.ts";

export class DocumentHash {
  readonly #expected: readonly Checksum[];
  readonly #hashes: ReadonlyMap<ChecksumAlgorithm, Hash>;
  #digests: ReadonlyMap<ChecksumAlgorithm, string> | undefined;
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

  /** What was computed, in hex; nothing can pass by any more. */
  get digests(): ReadonlyMap<ChecksumAlgorithm, string> {
    const digests = () =>
      Array.from(this.#hashes, ([one, hash]) => [one, hash.digest("hex")] as const);
    return (this.#digests ??= new Map(digests()));
  }

  /** The first checksum that isn't as expected, in words. */
  get difference(): string | undefined {
    const wrong = this.#expected.find(({ algorithm, hex }) => this.digests.get(algorithm) !== hex);
    if (wrong === undefined) return undefined;
    const { algorithm, hex } = wrong;
    return `expected ${algorithm} ${hex}, found ${this.digests.get(algorithm)}`;
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
  return hash.difference;
}
