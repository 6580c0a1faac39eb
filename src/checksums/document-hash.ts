/**
 * Computes the checksums of a document: while it arrives, from where it is stored, or of the file that is here; by
 * node:crypto and, of the algorithm that it lacks, by BSD's sum.
 */
import { createHash } from "node:crypto";
import { FtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import { existingFile, readTail } from "../files/regular-file.ts";
import type { Checksum, ChecksumAlgorithm } from "./checksum.ts";

const pieceSize = 1024 * 1024;

/** The first checksum that a local file doesn't have, in words. @throws FtpullError "file" */
export async function differenceHere(
  path: string,
  checksums: readonly Checksum[],
): Promise<string | undefined> {
  if (checksums.length === 0) return undefined;
  const octets = existingFile(path)?.size;
  if (octets === undefined) throw new FtpullError("file", `cannot verify "${path}": it is no file`);
  const tail = (end: number, length: number) => readTail(path, end, length);
  return new DocumentHash(checksums).differenceIn({ label: path, tail }, octets);
}

export class DocumentHash {
  readonly #checks: readonly (Checksum & { readonly hash: RunningHash })[];
  octets = 0;

  constructor(expected: readonly Checksum[]) {
    this.#checks = expected.map((one) => ({ hash: runningHash(one.algorithm), ...one }));
  }

  update(chunk: Buffer): void {
    for (const { hash } of this.#checks) hash.update(chunk);
    this.octets += chunk.length;
  }

  difference(): string | undefined {
    for (const { algorithm, value, hash } of this.#checks) {
      const found = hash.digest();
      if (found !== value) return `expected ${algorithm} ${value}, found ${found}`;
    }
    return undefined;
  }

  async differenceIn(stored: Pick<Destination, "label" | "tail">, octets: number) {
    for (let piece: Buffer | undefined; this.octets < octets && piece?.length !== 0;) {
      const length = Math.min(pieceSize, octets - this.octets);
      piece = stored.tail(this.octets + length, length);
      this.update(piece);
      await new Promise(setImmediate); // Signals and timers have their turn.
    }
    if (this.octets === octets) return this.difference();
    const words = `expected ${octets} bytes, found ${this.octets}`;
    throw new FtpullError("file", `cannot read "${stored.label}": ${words}`);
  }
}

interface RunningHash {
  update(octets: Uint8Array): void;
  digest(): string;
}

function runningHash(algorithm: ChecksumAlgorithm): RunningHash {
  if (algorithm === "sum") return bsdSum();
  const hash = createHash(algorithm);
  return { update: (octets) => void hash.update(octets), digest: () => hash.digest("hex") };
}

/** BSD `sum`: 16 bits, rotated right before each octet is added; and the number of KiB. */
function bsdSum(): RunningHash {
  let sum = 0;
  let length = 0;
  const update = (octets: Uint8Array): void => {
    let next = sum;
    // An iterator would take twice the time.
    for (let at = 0; at < octets.length; at += 1)
      next = ((next >>> 1) + (next << 15) + octets[at]!) & 0xffff;
    sum = next;
    length += octets.length;
  };
  const digest = (): string => `${String(sum).padStart(5, "0")} ${Math.ceil(length / 1024)}`;
  return { update, digest };
}
