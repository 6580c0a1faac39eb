/**
 * The way of one range's octets from a data connection to the document's file. The connection
 * begins some octets before the range, to compare them, and is given up at its end.
 */
import { StopReading } from "../ftp/data/data-connection.ts";
import type { DocumentFile } from "./document-file.ts";
import { Overlap, overlapSize } from "./resume.ts";
import type { Range } from "./segments/ranges.ts";

export class RangeReceiver {
  readonly #file: DocumentFile;
  readonly #range: Range;
  readonly #overlap: Overlap;
  /** Where the server has to begin. */
  readonly offset: number;
  /** Where the next octet belongs. */
  #position: number;

  constructor(file: DocumentFile, range: Range) {
    this.#file = file;
    this.#range = range;
    this.#position = range.position;
    this.offset = Math.max(0, range.position - overlapSize);
    this.#overlap = new Overlap(range.position - this.offset, (octets, at) =>
      file.compare(this.offset + at, octets),
    );
  }

  /** Whether all octets before the range have been compared. */
  get isCompared(): boolean {
    return this.#overlap.done;
  }

  /**
   * Takes the next octets that arrived, up to the range's end; they may be reused once the promise is settled.
   * @throws StopReading at the range's end; BeginAgain where the octets don't fit to others;
   *   FtpullError "integrity" beyond the document's size, "file"
   */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.#overlap.pass(chunk);
    if (fresh.length === 0) return;
    const mine = fresh.subarray(0, this.#room(fresh.length));
    if (mine.length < fresh.length && this.#isLast) throw this.#file.tooLong();
    const position = this.#position;
    this.#position += mine.length;
    const written = this.#file.write(position, mine);
    if (written === undefined) return this.#written(position + mine.length);
    return written.then(() => this.#written(position + mine.length));
  }

  /** How many octets may be written, those of free ranges that follow included. */
  #room(wanted: number): number {
    const { ranges } = this.#file;
    const room = (): number => this.#range.end - this.#position;
    while (wanted >= room() && ranges.extend(this.#range));
    return room();
  }

  get #isLast(): boolean {
    return this.#range.end === this.#file.end;
  }

  /** All octets of the range before `position` are stored. */
  #written(position: number): void {
    // Another connection may have taken the range over, and be further.
    this.#file.ranges.advance(this.#range, Math.max(0, position - this.#range.position));
    this.#file.written();
    // The last one ends by itself: then the server has said that all is well.
    if (position === this.#range.end && !this.#isLast) throw new StopReading();
  }
}
