/**
 * Writes to an open file, or to a device that doesn't block: synchronously, which is cheapest, but asynchronously for a
 * while after a slow write.
 */
import { write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { clockMs } from "../clock.ts";
import { errorAbout } from "./file-error.ts";

const writeAsync = promisify(write);

/** A slower write holds up progress, timeouts and signals: so many quick asynchronous ones follow. */
const slowMs = 50;
const cautiousWrites = 32;

export class FileWriter {
  readonly fd: number;
  end = 0;
  readonly #what: string;
  readonly #now: () => number;
  #cautious = 0;
  #pending: Promise<unknown> = Promise.resolve();

  constructor(fd: number, what: string, now = clockMs) {
    this.fd = fd;
    this.#what = what;
    this.#now = now;
  }

  /** Without `position`, writes at the descriptor's own. The chunk must not change until the promise settles. */
  write(chunk: Buffer, position?: number): void | Promise<void> {
    const began = this.#now();
    if (this.#cautious === 0 || chunk.length === 0)
      return this.#goOn(this.#writeNow(chunk, position), chunk, position, began);
    const written = this.#writeLater(chunk, position, began);
    this.#pending = Promise.allSettled([this.#pending, written]); // The caller gets the error.
    return written;
  }

  async idle(): Promise<void> {
    await this.#pending;
  }

  #writeNow(chunk: Buffer, position?: number): number {
    if (chunk.length === 0) return 0; // /dev/full refuses even that
    try {
      return writeSync(this.fd, chunk, 0, chunk.length, position);
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  async #writeLater(chunk: Buffer, position: number | undefined, began: number): Promise<void> {
    try {
      const { bytesWritten } = await writeAsync(this.fd, chunk, 0, chunk.length, position);
      await this.#goOn(bytesWritten, chunk, position, began);
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  /** Writes the rest: a disk that fills up takes a part of a chunk before it refuses more. */
  #goOn(octets: number, chunk: Buffer, position: number | undefined, began: number) {
    const end = position === undefined ? undefined : position + octets;
    if (octets > 0) this.end = Math.max(this.end, end ?? 0);
    if (octets < chunk.length) return this.write(chunk.subarray(octets), end);
    if (this.#now() - began > slowMs) this.#cautious = cautiousWrites;
    else if (this.#cautious > 0) this.#cautious -= 1;
  }
}
