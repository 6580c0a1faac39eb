/**
 * FileWriter: octets into an open file or device that doesn't keep a writer waiting.
 */
import { write, writeSync } from "node:fs";
import { promisify } from "node:util";
import { errorAbout } from "./file-error.ts";

const writeAsync = promisify(write);

/** A write that took longer has held up the progress bar, the timeouts and the signals. */
const slowMs = 50;
/** How many writes after a slow one leave the event loop free. */
const cautiousWrites = 32;

/**
 * Writes are synchronous as long as the disk keeps up, which costs the least; after a slow
 * one, the next ones are asynchronous until enough of them in a row were quick.
 */
export class FileWriter {
  /** The first octet behind all that were written at a position. */
  end = 0;
  readonly #fd: number;
  readonly #what: string;
  readonly #now: () => number;
  #cautious = 0;
  #pending: Promise<unknown> = Promise.resolve();

  /** `what` is the file in the words of a message; `now` is in milliseconds. */
  constructor(fd: number, what: string, now = () => performance.now()) {
    this.#fd = fd;
    this.#what = what;
    this.#now = now;
  }

  /**
   * Without `position` the octets go where the descriptor stands: a file that the shell opened to
   * append, a device. The chunk must stay as it is until the promise, if there is one, is settled.
   */
  write(chunk: Buffer, position?: number): void | Promise<void> {
    const began = this.#now();
    if (this.#cautious > 0) {
      const written = this.#writeLater(chunk, position).then(() => this.#judge(began));
      this.#pending = Promise.allSettled([this.#pending, written]); // its error is the caller's
      return written;
    }
    this.#writeNow(chunk, position);
    this.#judge(began);
  }

  /** Resolves when no write is under way any more. */
  async idle(): Promise<void> {
    await this.#pending;
  }

  #writeNow(chunk: Buffer, position?: number): void {
    try {
      for (let done = 0; done < chunk.length;) {
        const at = behind(done, position);
        done += this.#advance(writeSync(this.#fd, chunk, done, undefined, at), at);
      }
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  async #writeLater(chunk: Buffer, position?: number): Promise<void> {
    try {
      for (let done = 0; done < chunk.length;) {
        const at = behind(done, position);
        const { bytesWritten } = await writeAsync(this.#fd, chunk, done, chunk.length - done, at);
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

/** Where to write once so many octets are done. */
function behind(done: number, position: number | undefined): number | null {
  return position === undefined ? null : position + done;
}
