/** Reads what one command lists: octets, lines, entries. */
import { FtpullError } from "../../errors.ts";
import { type Entry, type LineParser, unreadEntry } from "../../listing/entry.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";
import { type ListingCommand, listingParser } from "../../listing/parse-listing.ts";

/**
 * Takes the entries of a listing; `itself` gets the listed directory, and `end` is called after the last entry. `flush`
 * is called after some entries, and at the end: no more is read until it resolves. With `isRaw` all entries are from
 * `unreadEntry`.
 */
export interface ListingReceiver {
  readonly isRaw?: boolean | undefined;
  entry(entry: Entry): void;
  itself?(entry: Entry): void;
  end?(): void;
  flush?(): void | Promise<void>;
}

/** Octets that are read before a flush: as text they take several times the memory. */
const pieceSize = 16 * 1024;

/** The format is unknown if none of so many first lines can be parsed. */
const firstLines = 10;

/** Octets of a listing, with 100 more for each line: a million entries fit, and an endless listing doesn't. */
const mostOctets = 256 * 1024 * 1024;
const octetsOfEntry = 100;

export class ListingReader {
  readonly #receiver: ListingReceiver;
  readonly #parse: LineParser;
  readonly #splitter = new LineSplitter((line) => this.#readLine(line));
  #octets = 0;
  /** The first lines, while none could be parsed. */
  #unread: Entry[] | undefined;
  #busy: void | Promise<void> = undefined;

  /** With `mayBeUnread`, a listing of which no line can be parsed shows nothing. */
  constructor(command: ListingCommand, receiver: ListingReceiver, mayBeUnread: boolean) {
    const { isRaw } = receiver;
    this.#receiver = receiver;
    this.#parse = isRaw ? unreadEntry : listingParser(command, new Date());
    if (mayBeUnread && !isRaw) this.#unread = [];
  }

  take(chunk: Buffer): void | Promise<void> {
    this.#busy = this.#read(chunk);
    return this.#busy;
  }

  /** Called at the end of the data; false if no line could be parsed. */
  async end(): Promise<boolean> {
    this.#splitter.end();
    if (this.#unread?.length) return false;
    await this.breakOff();
    return true;
  }

  /** Ends the listing with what was read so far. */
  async breakOff(): Promise<void> {
    await this.#busy;
    this.#receiver.end?.();
    await this.#receiver.flush?.();
  }

  #readLine(line: string): void {
    this.#octets += line.length + octetsOfEntry;
    if (this.#octets > mostOctets)
      throw new FtpullError("protocol", "cannot read the listing: it is too long");
    const entry = this.#parse(line);
    if (entry === undefined) return;
    if (entry.type === "itself") this.#receiver.itself?.(entry);
    else if (this.#unread === undefined) this.#receiver.entry(entry);
    else this.#tryFirst(entry, this.#unread);
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    if (unread.length === firstLines) return;
    unread.push(entry);
    if (entry.type === "unread") return;
    this.#unread = undefined;
    for (const held of unread) this.#receiver.entry(held);
  }

  #read(chunk: Buffer): void | Promise<void> {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      this.#splitter.push(chunk.subarray(start, start + pieceSize));
      const flushed = this.#receiver.flush?.();
      if (flushed !== undefined)
        return flushed.then(() => this.#read(chunk.subarray(start + pieceSize)));
    }
  }
}
