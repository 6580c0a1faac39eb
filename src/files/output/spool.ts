/**
 * Spool: lines that are written once and read several times. It grows from memory to a temporary
 * file that has no name, so that nothing of it stays.
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "../file-error.ts";
import type { Destination, PartialDocument } from "../destination.ts";

/** Octets that stay in memory. */
const memorySize = 1024 * 1024;

const pieceSize = 64 * 1024;

export class Spool implements Destination {
  readonly label = "a temporary file";
  readonly rewindable = true;
  #pieces: Buffer[] = [];
  #octets = 0;
  #fd: number | undefined;

  partial(): PartialDocument | undefined {
    return undefined;
  }

  tail(): Buffer {
    return Buffer.alloc(0);
  }

  async *stored(): AsyncGenerator<Buffer> {}

  /** What was written in an earlier try is dropped. */
  open(): void {
    this.close();
  }

  writeAt(position: number, chunk: Buffer): void {
    if (this.#fd === undefined && position + chunk.length <= memorySize)
      this.#pieces.push(Buffer.from(chunk));
    else this.#toFile(position, chunk);
    this.#octets = position + chunk.length;
  }

  async publish(): Promise<string> {
    return this.label;
  }

  async keep(): Promise<number> {
    this.close();
    return 0;
  }

  /** The lines that came stay until `open` or `close`. */
  async discard(): Promise<void> {}

  /** The lines in order, as octets, without LF; each ends in one. @throws FtpullError "file" */
  *lines(): Generator<string> {
    let rest = "";
    for (const piece of this.#read()) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  }

  /** Frees the memory or the file. */
  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
    this.#pieces = [];
    this.#octets = 0;
  }

  *#read(): Generator<string> {
    for (const piece of this.#pieces) yield piece.toString("latin1");
    const buffer = Buffer.alloc(this.#fd === undefined ? 0 : pieceSize);
    for (let at = 0; this.#fd !== undefined && at < this.#octets;) {
      const length = readSync(this.#fd, buffer, 0, pieceSize, at);
      if (length === 0) return;
      yield buffer.toString("latin1", 0, length);
      at += length;
    }
  }

  #toFile(position: number, chunk: Buffer): void {
    const directory = tmpdir();
    try {
      this.#fd ??= openUnnamed(directory);
      const held = this.#pieces.splice(0);
      if (held.length > 0) writeAll(this.#fd, Buffer.concat(held), 0);
      writeAll(this.#fd, chunk, position);
    } catch (error) {
      throw fileError("write", directory, error);
    }
  }
}

/** A file that is gone as soon as it is closed. */
function openUnnamed(directory: string): number {
  const folder = mkdtempSync(join(directory, "ftpull-"));
  try {
    return openSync(join(folder, "listing"), "w+", 0o600);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeAll(fd: number, octets: Buffer, position: number): void {
  for (let done = 0; done < octets.length;)
    done += writeSync(fd, octets, done, octets.length - done, position + done);
}
