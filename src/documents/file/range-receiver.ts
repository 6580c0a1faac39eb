/** Takes a range of a file from a data connection, which begins 4 KiB before it: those are compared, the rest is stored. */
import { enoughRead } from "../../ftp/data/data-end.ts";
import type { FileTry } from "./file-try.ts";

/** Bytes fetched again: others mean another file, or a server that answered 350 to REST and began at 0. */
export const overlapSize = 4096;

/** The bytes from `position`, which are missing, to `end`; Infinity: to the end of the data. */
export interface Range {
  readonly position: number;
  readonly end: number;
}

export class RangeReceiver {
  readonly #try: FileTry;
  readonly #end: number;
  readonly #start: number;
  readonly offset: number;
  /** Position of the next byte to arrive. */
  position: number;

  constructor(attempt: FileTry, { position, end }: Range) {
    this.#try = attempt;
    this.#start = position;
    this.#end = end;
    this.offset = Math.max(0, position - overlapSize);
    this.position = this.offset;
  }

  get isCompared(): boolean {
    return this.position >= this.#start;
  }

  /** @throws "enough read" at the range's end; "begin again" */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.isCompared ? chunk : this.#compare(chunk);
    if (fresh.length === 0) return;
    const mine = fresh.subarray(0, this.#end - this.position);
    const written = this.#try.write(this.position, mine);
    if (written === undefined) return this.#written(mine.length);
    return written.then(() => this.#written(mine.length));
  }

  #compare(chunk: Buffer): Buffer {
    const again = chunk.subarray(0, this.#start - this.position);
    this.#try.compare(this.position, again);
    this.position += again.length;
    return chunk.subarray(again.length);
  }

  #written(octets: number): void {
    this.position += octets;
    this.#try.advance(octets);
    if (this.position === this.#end) throw enoughRead();
  }
}
