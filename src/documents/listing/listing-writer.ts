/** Converts a listing: octets, lines, entries, formatted text. */
import type { ListingReceiver } from "../../ftp/list-directory.ts";
import type { Entry, LineParser } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";

export type Write = (octets: Buffer) => void | Promise<void>;

const pieceSize = 16 * 1024;

/** The format is unknown if none of so many first lines can be parsed. */
const firstLines = 10;

export class ListingWriter implements ListingReceiver {
  readonly #formatter: ListingFormatter;
  readonly #write: Write | undefined;
  readonly #splitter: LineSplitter;
  #text = "";
  /** The entries so far, while none could be parsed; undefined afterwards, or if not needed. */
  #unread: Entry[] | undefined;
  #busy: void | Promise<void> = undefined;

  /**
   * `isDoubtful`: the format may be unknown, which the first lines show. Without `write`, the
   * formatter keeps the entries.
   */
  constructor(parse: LineParser, isDoubtful: boolean, formatter: ListingFormatter, write?: Write) {
    this.#formatter = formatter;
    this.#write = write;
    if (isDoubtful) this.#unread = [];
    this.#splitter = new LineSplitter((line) => {
      const entry = parse(line);
      if (entry === undefined) return formatter.skipped?.(line);
      if (this.#unread === undefined) this.#text += formatter.entry(entry);
      else this.#tryFirst(entry, this.#unread);
    });
  }

  take(chunk: Buffer): void | Promise<void> {
    return (this.#busy = this.#read(chunk));
  }

  /** False if no line could be parsed; then none was shown. */
  async end(): Promise<boolean> {
    this.#splitter.end();
    if (this.#unread !== undefined && this.#unread.length > 0) return false;
    await this.breakOff();
    return true;
  }

  async breakOff(): Promise<void> {
    await this.#busy;
    this.#text += this.#formatter.end?.() ?? "";
    await this.#flush();
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    if (entry.type !== "unread" && unread.length < firstLines) {
      this.#unread = undefined;
      for (const held of [...unread, entry]) this.#text += this.#formatter.entry(held);
    } else if (unread.length < firstLines) unread.push(entry);
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
    const octets = Buffer.from(this.#text, this.#formatter.isRaw ? "latin1" : "utf8");
    this.#text = "";
    return this.#write?.(octets);
  }
}
