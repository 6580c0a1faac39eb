/** Reads what one command lists: octets, lines, entries, formatted text. */
import { FtpullError } from "../../errors.ts";
import { type Entry, type LineParser, unreadEntry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";
import { type ListingCommand, listingParser } from "../../listing/parse-listing.ts";

/** Where a listing goes; without `write` the formatter keeps the entries. */
export interface ListingTarget {
  readonly formatter: ListingFormatter;
  readonly write?: (octets: Buffer) => void | Promise<void>;
}

/** Octets that are read before their text is written: as text they take several times the memory. */
const pieceSize = 16 * 1024;

/** The format is unknown if none of so many first lines can be parsed. */
const firstLines = 10;

/** Octets of a listing, with 100 more for each line: a million entries fit, and an endless listing doesn't. */
const mostOctets = 256 * 1024 * 1024;
const octetsOfEntry = 100;

export class ListingReader {
  readonly #target: ListingTarget;
  readonly #parse: LineParser;
  readonly #splitter = new LineSplitter((line) => this.#readLine(line));
  #text = "";
  #octets = 0;
  /** The first lines, while none could be parsed. */
  #unread: Entry[] | undefined;
  #busy: void | Promise<void> = undefined;

  /** With `mayBeUnread`, a listing of which no line can be parsed shows nothing. */
  constructor(command: ListingCommand, target: ListingTarget, mayBeUnread: boolean) {
    const { isRaw } = target.formatter;
    this.#target = target;
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

  /** Writes what was read so far. */
  async breakOff(): Promise<void> {
    await this.#busy;
    this.#text += this.#target.formatter.end?.() ?? "";
    await this.#flush();
  }

  #readLine(line: string): void {
    this.#octets += line.length + octetsOfEntry;
    if (this.#octets > mostOctets)
      throw new FtpullError("protocol", "cannot read the listing: it is too long");
    const entry = this.#parse(line);
    const { formatter } = this.#target;
    if (entry === undefined) return;
    if (entry.type === "itself") formatter.itself?.(entry);
    else if (this.#unread === undefined) this.#text += formatter.entry(entry);
    else this.#tryFirst(entry, this.#unread);
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    if (unread.length === firstLines) return;
    unread.push(entry);
    if (entry.type === "unread") return;
    this.#unread = undefined;
    for (const held of unread) this.#text += this.#target.formatter.entry(held);
  }

  #read(chunk: Buffer): void | Promise<void> {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      this.#splitter.push(chunk.subarray(start, start + pieceSize));
      const written = this.#flush();
      if (written !== undefined)
        return written.then(() => this.#read(chunk.subarray(start + pieceSize)));
    }
  }

  #flush(): void | Promise<void> {
    if (this.#text === "") return;
    const { formatter, write } = this.#target;
    const octets = Buffer.from(this.#text, formatter.isRaw ? "latin1" : "utf8");
    this.#text = "";
    return write?.(octets);
  }
}
