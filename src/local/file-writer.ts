/**
 * FileWriter: octets into an open regular file, at a position of its own.
 */
import * as fs from "node:fs";
import { promisify } from "node:util";
import { fileError } from "./file-error.ts";

const writeAsync = promisify(fs.write);

/** A write that took longer has held up the progress bar, the timeouts and the signals. */
const slowMs = 50;
/** How many writes after a slow one leave the event loop free. */
const cautiousWrites = 32;

/**
 * Writes are synchronous as long as the disk keeps up, which costs the least; after a slow
 * one, the next ones are asynchronous until enough of them in a row were quick.
 */
export class FileWriter {
  /** Where the next octet goes. */
  position: number;
  readonly #fd: number;
  readonly #path: string;
  readonly #now: () => number;
  #cautious = 0;
  #pending: Promise<void> = Promise.resolve();

  /** `now` is in milliseconds. */
  constructor(fd: number, path: string, position: number, now = () => performance.now()) {
    this.#fd = fd;
    this.#path = path;
    this.position = position;
    this.#now = now;
  }

  /** The chunk must stay as it is until the promise, if there is one, is settled. */
  write(chunk: Buffer): void | Promise<void> {
    const began = this.#now();
    if (this.#cautious === 0) {
      this.#writeNow(chunk);
      this.#judge(began);
      return;
    }
    const written = this.#writeLater(chunk).then(() => this.#judge(began));
    this.#pending = written.catch(() => undefined); // its error is the writer's caller's
    return written;
  }

  /** Resolves when no write is under way any more. */
  idle(): Promise<void> {
    return this.#pending;
  }

  #writeNow(chunk: Buffer): void {
    try {
      for (let done = 0; done < chunk.length;) {
        const written = fs.writeSync(this.#fd, chunk, done, chunk.length - done, this.position);
        done += written;
        this.position += written;
      }
    } catch (error) {
      throw fileError("write", this.#path, error);
    }
  }

  async #writeLater(chunk: Buffer): Promise<void> {
    try {
      for (let done = 0; done < chunk.length;) {
        const length = chunk.length - done;
        const { bytesWritten } = await writeAsync(this.#fd, chunk, done, length, this.position);
        done += bytesWritten;
        this.position += bytesWritten;
      }
    } catch (error) {
      throw fileError("write", this.#path, error);
    }
  }

  #judge(began: number): void {
    if (this.#now() - began > slowMs) this.#cautious = cautiousWrites;
    else if (this.#cautious > 0) this.#cautious -= 1;
  }
}
