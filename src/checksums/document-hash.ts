/** Computes the checksums of a document, while it arrives or from where it is stored. */
import { createHash, type Hash } from "node:crypto";
import { FtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import type { Checksum, ChecksumAlgorithm } from "./checksum.ts";

export class DocumentHash {
  readonly #expected: readonly Checksum[];
  readonly #hashes: ReadonlyMap<ChecksumAlgorithm, Hash>;
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

/**
 * Verifies a document of `octets` octets; those that `hash` hasn't seen are read where stored.
 * @throws FtpullError "integrity" when a checksum differs; then nothing is kept
 */
export async function verify(
  hash: DocumentHash,
  octets: number,
  destination: Destination,
): Promise<void> {
  if (hash.octets < octets)
    for await (const piece of destination.stored(hash.octets, octets)) hash.update(piece);
  if (hash.octets !== octets) {
    const words = `expected ${octets} octets, found ${hash.octets}`;
    throw new FtpullError("file", `cannot read "${destination.label}": ${words}`);
  }
  const difference = hash.difference();
  if (difference === undefined) return;
  const { label, rewindable } = destination;
  await destination.discard();
  const remains = rewindable ? "what arrived is removed" : `it is on ${label} already`;
  throw new FtpullError("integrity", `${difference}: ${remains}`);
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
