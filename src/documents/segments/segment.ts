/**
 * A segment: the way of one range's octets from a data connection to the file. The connection
 * begins some octets before the range, as every restart does, and is given up at its end.
 */
import { FtpullError } from "../../errors.ts";
import { StopReading } from "../../ftp/data/data-connection.ts";
import type { Completion } from "../../ftp/data/transfer.ts";
import { overlapSize } from "../resume.ts";
import { BeginAgain } from "../retry.ts";
import type { Range } from "./ranges.ts";
import type { SegmentedFile } from "./segmented-file.ts";

export class Segment {
  readonly #segmentedFile: SegmentedFile;
  readonly #range: Range;
  /** Where the server has to begin. */
  readonly offset: number;
  /** What comes before the range. */
  readonly #lead: Buffer;
  #leadLength = 0;
  #writer: ReturnType<SegmentedFile["writerAt"]> | undefined;

  constructor(segmentedFile: SegmentedFile, range: Range) {
    this.#segmentedFile = segmentedFile;
    this.#range = range;
    this.offset = Math.max(0, range.position - overlapSize);
    this.#lead = Buffer.alloc(range.position - this.offset);
  }

  /**
   * Takes the next octets that arrived, up to the range's end.
   * @throws Enough there; BeginAgain where they don't fit to others; FtpullError "file"
   */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.#leadLength === this.#lead.length ? chunk : this.#afterLead(chunk);
    if (fresh.length === 0) return;
    const mine = fresh.subarray(0, this.#room(fresh.length));
    if (mine.length < fresh.length && this.#isLast) {
      // A server that answered 350 to REST and began at 0 comes here sooner or later.
      throw new BeginAgain(`the server sent more than ${this.#segmentedFile.document.size} octets`);
    }
    this.#writer ??= this.#segmentedFile.writerAt(this.#range.position);
    const written = this.#writer.write(mine);
    if (written === undefined) return this.#written(mine.length);
    return written.then(() => this.#written(mine.length));
  }

  /** The transfer has ended by itself, or because there was enough. @throws FtpullError when too early */
  end(completion: Completion): void {
    const { position, end } = this.#range;
    if (position === end) return;
    if (!completion.completed) throw completion.error;
    const text = `expected the octets up to ${end}, received those up to ${position}`;
    throw new FtpullError("integrity", text, { transient: true });
  }

  #afterLead(chunk: Buffer): Buffer {
    const length = chunk.copy(this.#lead, this.#leadLength);
    this.#leadLength += length;
    if (this.#leadLength === this.#lead.length)
      this.#segmentedFile.compare(this.offset, this.#lead);
    return chunk.subarray(length);
  }

  /** How many octets may be written, ranges that follow and that nobody is at included. */
  #room(wanted: number): number {
    const { ranges } = this.#segmentedFile;
    const room = (): number => this.#range.end - this.#range.position;
    while (wanted >= room() && ranges.extend(this.#range));
    return room();
  }

  get #isLast(): boolean {
    return this.#range.end === this.#segmentedFile.document.size;
  }

  #written(octets: number): void {
    this.#segmentedFile.ranges.advance(this.#range, octets);
    this.#segmentedFile.written();
    // The last one ends by itself: then the server has said that all is well.
    if (this.#range.position === this.#range.end && !this.#isLast) throw new StopReading();
  }
}
