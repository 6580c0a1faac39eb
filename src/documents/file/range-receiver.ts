/** Takes a range of a document from a data connection, which begins 4 KiB before it, to compare octets. */
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { DocumentFile } from "./document-file.ts";

/** Octets fetched again: others mean another document, or a server that answered 350 to REST and began at 0. */
export const overlapSize = 4096;

/** The octets from `position`, which are missing, to `end`; Infinity: to the end of the data. */
export interface Range {
  position: number;
  readonly end: number;
}

export class RangeReceiver {
  readonly #file: DocumentFile;
  readonly #range: Range;
  readonly offset: number;
  #comparedUpTo: number;

  constructor(file: DocumentFile, range: Range) {
    this.#file = file;
    this.#range = range;
    this.offset = Math.max(0, range.position - overlapSize);
    this.#comparedUpTo = this.offset;
  }

  get isCompared(): boolean {
    return this.#comparedUpTo >= this.#range.position;
  }

  /** @throws StopReading at the range's end; BeginAgain */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.isCompared ? chunk : this.#compare(chunk);
    if (fresh.length === 0) return;
    const { position, end } = this.#range;
    const mine = fresh.subarray(0, end - position);
    const written = this.#file.write(position, mine);
    if (written === undefined) return this.#written(mine.length);
    return written.then(() => this.#written(mine.length));
  }

  #compare(chunk: Buffer): Buffer {
    const again = chunk.subarray(0, this.#range.position - this.#comparedUpTo);
    this.#file.compare(this.#comparedUpTo, again);
    this.#comparedUpTo += again.length;
    return chunk.subarray(again.length);
  }

  #written(octets: number): void {
    this.#range.position += octets;
    this.#comparedUpTo = this.#range.position;
    this.#file.advance(octets);
    const { position, end } = this.#range;
    if (position === end) throw new StopReading();
  }
}
