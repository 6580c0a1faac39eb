/** Computes the checksums of a document, while it arrives or from where it is stored. */
import { FtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import type { Checksum } from "./checksum.ts";
import { type RunningHash, runningHash } from "./running-hash.ts";

export class DocumentHash {
  readonly #checks: readonly (Checksum & { readonly hash: RunningHash })[];
  octets = 0;

  constructor(expected: readonly Checksum[]) {
    this.#checks = expected.map((one) => ({ ...one, hash: runningHash(one.algorithm) }));
  }

  update(chunk: Buffer): void {
    for (const { hash } of this.#checks) hash.update(chunk);
    this.octets += chunk.length;
  }

  async read(stored: AsyncIterable<Buffer>): Promise<void> {
    for await (const piece of stored) this.update(piece);
  }

  /** Describes the first checksum that differs; ends the computation. */
  difference(): string | undefined {
    for (const { algorithm, value, hash } of this.#checks) {
      const found = hash.digest();
      if (found !== value) return `expected ${algorithm} ${value}, found ${found}`;
    }
    return undefined;
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
  if (hash.octets < octets) await hash.read(destination.stored(hash.octets, octets));
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
  await hash.read(stored);
  return hash.difference();
}
