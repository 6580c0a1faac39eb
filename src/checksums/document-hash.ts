/** Computes the checksums of a document: while it arrives, from where it is stored, or of the file that is here. */
import { FtpullError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import { existingFile, readTail } from "../files/regular-file.ts";
import type { Checksum } from "./checksum.ts";
import { type RunningHash, runningHash } from "./running-hash.ts";

const pieceSize = 1024 * 1024;

/** The first checksum that a local file doesn't have, in words. @throws FtpullError "file" */
export async function differenceHere(
  path: string,
  checksums: readonly Checksum[],
): Promise<string | undefined> {
  if (checksums.length === 0) return undefined;
  const octets = existingFile(path)?.size;
  if (octets === undefined) throw new FtpullError("file", `cannot verify "${path}": it is no file`);
  const tail = (end: number, length: number) => readTail(path, end, length, "follow");
  return new DocumentHash(checksums).differenceIn({ label: path, tail }, octets);
}

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
