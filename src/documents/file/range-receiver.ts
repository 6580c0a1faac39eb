/** Takes a range from a data connection, which begins before it, to compare octets, and is closed at its end. */
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { Range } from "../segments/ranges.ts";
import type { DocumentFile } from "./document-file.ts";

/** Octets fetched again: others mean another document, or a server that answered 350 to REST and began at 0. */
export const overlapSize = 4096;

export class RangeReceiver {
  readonly #file: DocumentFile;
  readonly #range: Range;
  readonly #start: number;
  readonly offset: number;
  hasOctetsBehindEnd = false;
  #position: number;

  constructor(file: DocumentFile, range: Range) {
    this.#file = file;
    this.#range = range;
    this.#start = range.position;
    this.offset = Math.max(0, range.position - overlapSize);
    this.#position = this.offset;
  }

  get isCompared(): boolean {
    return this.#position >= this.#start;
  }

  /** @throws StopReading at the range's end; BeginAgain; FtpullError "integrity" for a document that can't grow */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.isCompared ? chunk : this.#compare(chunk);
    if (fresh.length === 0) return;
    const mine = fresh.subarray(0, this.#room(fresh.length));
    this.hasOctetsBehindEnd = mine.length < fresh.length && this.#isLast;
    if (this.hasOctetsBehindEnd) this.#file.checkMayGrow();
    const position = this.#position;
    this.#position += mine.length;
    if (!this.#file.isOpen) this.#file.open();
    const written = this.#file.write(position, mine);
    if (written === undefined) return this.#written(position + mine.length);
    return written.then(() => this.#written(position + mine.length));
  }

  #compare(chunk: Buffer): Buffer {
    const again = chunk.subarray(0, this.#start - this.#position);
    this.#file.compare(this.#position, again, this.offset);
    this.#position += again.length;
    return chunk.subarray(again.length);
  }

  #room(wanted: number): number {
    const { ranges } = this.#file;
    let isExtended = true;
    while (isExtended && wanted >= this.#range.end - this.#position)
      isExtended = ranges.extend(this.#range);
    return this.#range.end - this.#position;
  }

  get #isLast(): boolean {
    return this.#range.end === this.#file.end;
  }

  #written(position: number): void {
    // The range may be further: another connection took it over, or a write of a broken connection came late.
    this.#file.ranges.advance(this.#range, Math.max(0, position - this.#range.position));
    this.#file.written();
    // Behind the last range the server ends the data itself, and confirms the transfer.
    const awaitsEnd = this.#isLast && !this.hasOctetsBehindEnd;
    if (position === this.#range.end && !awaitsEnd) throw new StopReading();
  }
}
