/**
 * What becomes of a listing's octets: lines, entries, formatted text. Where the text can't be
 * taken back, the writer is kept for the next try, and goes on where the last one broke off.
 */
import { isAscii } from "node:buffer";
import { FtpullError } from "../errors.ts";
import type { Entry } from "../listing/entry.ts";
import type { ListingFormatter } from "../listing/format.ts";
import { LineSplitter } from "../listing/line-splitter.ts";
import { Overlap, overlapSize } from "./resume.ts";

/** How a line becomes an entry. */
export interface LineReader {
  readonly parse: (line: string) => Entry | undefined;
  /** Whether lines may be of a form that `parse` can't read; then the first ones tell. */
  readonly isDoubtful: boolean;
}

/** Where formatted text goes. */
type Write = (octets: Buffer) => void | Promise<void>;

/** What is made of so many octets is written before more are read: memory stays small, and in the youngest. */
const pieceSize = 16 * 1024;

/** How many lines in a row that can't be read make a listing unreadable, where they are the first. */
const firstLines = 10;

export class ListingWriter {
  readonly #formatter: ListingFormatter;
  readonly #write: Write;
  readonly #splitter: LineSplitter;
  /** Whether all that came was ASCII, and so all that is made of it, which is then copied as it is. */
  #isAscii = true;
  #text = "";
  /** The first entries, as long as none could be read; undefined when that doesn't matter any more. */
  #unread: Entry[] | undefined;
  /** How many octets of the listing became lines, and the last of them. */
  #octets = 0;
  #tail = Buffer.alloc(0);
  /** In a further try: how many octets come before `#tail`, and its comparison. */
  #before = 0;
  #overlap: Overlap | undefined;
  #busy: void | Promise<void> = undefined;

  constructor({ parse, isDoubtful }: LineReader, formatter: ListingFormatter, write: Write) {
    this.#formatter = formatter;
    this.#write = write;
    if (isDoubtful) this.#unread = [];
    this.#splitter = new LineSplitter((line) => {
      const entry = parse(line);
      if (entry === undefined) return;
      if (this.#unread === undefined) this.#text += formatter.entry(entry);
      else this.#tryFirst(entry, this.#unread);
    });
  }

  /** The listing comes again from its beginning: what came before is compared, and not shown again. */
  restart(): void {
    this.#before = this.#octets - this.#tail.length;
    this.#overlap = new Overlap(this.#tail);
  }

  /** Takes the next octets. @throws FtpullError "integrity" when they aren't those of the try before */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.#overlap === undefined ? chunk : this.#behind(chunk, this.#overlap);
    this.#octets += fresh.length;
    const last = fresh.subarray(-overlapSize);
    const kept = this.#tail.subarray(last.length - overlapSize);
    this.#tail = last.length < overlapSize ? Buffer.concat([kept, last]) : Buffer.from(last);
    return (this.#busy = this.#read(fresh));
  }

  /** All has come. False when no line could be read, and nothing was shown of them. */
  async end(): Promise<boolean> {
    if (this.#overlap?.done === false) throw changedListing();
    this.#splitter.end();
    if (this.#unread !== undefined && this.#unread.length > 0) return false;
    await this.pause();
    return true;
  }

  /** Shows what was held back. A line that isn't whole waits: there may be another try. */
  async pause(): Promise<void> {
    await this.#busy;
    this.#text += this.#formatter.end();
    await this.#flush();
  }

  /** What of `chunk` is new. */
  #behind(chunk: Buffer, overlap: Overlap): Buffer {
    const skipped = Math.min(this.#before, chunk.length);
    this.#before -= skipped;
    const fresh = overlap.pass(chunk.subarray(skipped));
    if (fresh === undefined) throw changedListing();
    if (overlap.done && this.#before === 0) this.#overlap = undefined;
    return fresh;
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    const isRead = entry.name !== entry.raw;
    if (isRead && unread.length < firstLines) {
      this.#unread = undefined;
      for (const held of [...unread, entry]) this.#text += this.#formatter.entry(held);
    } else if (unread.length < firstLines) unread.push(entry);
  }

  #read(chunk: Buffer): void | Promise<void> {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      const piece = chunk.subarray(start, start + pieceSize);
      this.#isAscii &&= isAscii(piece);
      this.#splitter.push(piece);
      const written = this.#flush();
      if (written !== undefined)
        return written.then(() => this.#read(chunk.subarray(start + pieceSize)));
    }
  }

  #flush(): void | Promise<void> {
    if (this.#text === "") return;
    const octets = Buffer.from(this.#text, this.#isAscii ? "latin1" : this.#formatter.encoding);
    this.#text = "";
    return this.#write(octets);
  }
}

/** A listing that was shown in part, in which form, and what goes on with it. */
export interface ShownListing {
  readonly form: string;
  readonly writer: ListingWriter;
}

/** Nothing can be taken back of what was shown, and the rest may not fit to it. */
export function changedListing(): FtpullError {
  return new FtpullError("integrity", "the listing has changed since its first lines were shown");
}
