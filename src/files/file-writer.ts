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
  /** Where the next octet goes; how many have been written where that isn't ours to say. */
  position: number;
  readonly #fd: number;
  readonly #what: string;
  readonly #positioned: boolean;
  readonly #now: () => number;
  #cautious = 0;
  #pending: Promise<void> = Promise.resolve();

  /**
   * `what` is the file in the words of a message. Without `position` the octets go where the
   * descriptor stands: a file that the shell opened to append, a device. `now` is in milliseconds.
   */
  constructor(fd: number, what: string, position?: number, now = () => performance.now()) {
    this.#fd = fd;
    this.#what = what;
    this.position = position ?? 0;
    this.#positioned = position !== undefined;
    this.#now = now;
  }

  /** The chunk must stay as it is until the promise, if there is one, is settled. */
  write(chunk: Buffer): void | Promise<void> {
    const began = this.#now();
    if (this.#cautious > 0) {
      const written = this.#writeLater(chunk).then(() => this.#judge(began));
      this.#pending = written.catch(() => undefined); // its error is the writer's caller's
      return written;
    }
    this.#writeNow(chunk);
    this.#judge(began);
  }

  /** Resolves when no write is under way any more. */
  idle(): Promise<void> {
    return this.#pending;
  }

  #writeNow(chunk: Buffer): void {
    try {
      for (let done = 0; done < chunk.length;)
        done += this.#advance(writeSync(this.#fd, chunk, done, undefined, this.#at()));
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  async #writeLater(chunk: Buffer): Promise<void> {
    try {
      for (let done = 0; done < chunk.length;) {
        const write = writeAsync(this.#fd, chunk, done, chunk.length - done, this.#at());
        done += this.#advance((await write).bytesWritten);
      }
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }

  /** A disk that fills up takes a part of a chunk before it refuses the rest. */
  #advance(written: number): number {
    this.position += written;
    return written;
  }

  #at(): number | null {
    return this.#positioned ? this.position : null;
  }

  #judge(began: number): void {
    if (this.#now() - began > slowMs) this.#cautious = cautiousWrites;
    else if (this.#cautious > 0) this.#cautious -= 1;
  }
}
