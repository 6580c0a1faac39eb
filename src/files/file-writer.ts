/** Writes to an open file, or to a device that doesn't block. */
import { write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { clockMs } from "../clock.ts";
import { errorAbout } from "./file-error.ts";

const writeAsync = promisify(write);

/** A slower write holds up progress, timeouts and signals: so many quick asynchronous ones follow. */
const slowMs = 50;
const cautiousWrites = 32;

/** Writes synchronously, which is cheapest; asynchronously for a while after a slow write. */
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
    if (this.#cautious > 0) {
      const written = this.#writeLater(chunk, position).then(() => this.#judge(began));
      this.#pending = Promise.allSettled([this.#pending, written]); // The caller gets the error.
      return written;
    }
    this.#writeNow(chunk, position);
    this.#judge(began);
  }

  async idle(): Promise<void> {
    await this.#pending;
  }

  #writeNow(chunk: Buffer, position?: number): void {
    try {
      for (let done = 0; done < chunk.length;) {
        const at = behind(done, position);
        done += this.#advance(writeSync(this.fd, chunk, done, undefined, at), at);
      }
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  async #writeLater(chunk: Buffer, position?: number): Promise<void> {
    try {
      for (let done = 0; done < chunk.length;) {
        const at = behind(done, position);
        const { bytesWritten } = await writeAsync(this.fd, chunk, done, chunk.length - done, at);
        done += this.#advance(bytesWritten, at);
      }
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  /** A disk that fills up takes a part of a chunk before it refuses the rest. */
  #advance(written: number, at: number | null): number {
    if (at !== null) this.end = Math.max(this.end, at + written);
    return written;
  }

  #judge(began: number): void {
    if (this.#now() - began > slowMs) this.#cautious = cautiousWrites;
    else if (this.#cautious > 0) this.#cautious -= 1;
  }
}

function behind(done: number, position: number | undefined): number | null {
  return position === undefined ? null : position + done;
}
