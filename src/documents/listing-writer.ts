/**
 * Converts a listing: octets, lines, entries, formatted text. If output cannot be taken back, the
 * writer is kept for the next try, which continues where the last one broke off.
 */
import { isAscii } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { FtpullError } from "../errors.ts";
import type { Entry } from "../listing/entry.ts";
import type { ListingFormatter } from "../listing/format.ts";
import { LineSplitter } from "../listing/line-splitter.ts";

export interface LineReader {
  readonly parse: (line: string) => Entry | undefined;
  /** Whether the format may be unknown to `parse`; the first lines show it. */
  readonly isDoubtful: boolean;
}

type Write = (octets: Buffer) => void | Promise<void>;

/** Octets that are converted before the result is written; limits the memory. */
const pieceSize = 16 * 1024;

/** When so many first lines can't be parsed, the format is unknown. */
const firstLines = 10;

export class ListingWriter {
  readonly #formatter: ListingFormatter;
  readonly #write: Write;
  readonly #splitter: LineSplitter;
  /** ASCII input gives ASCII output, which is encoded faster. */
  #isAscii = true;
  #text = "";
  /** The first entries until one could be parsed; undefined afterwards, or if not needed. */
  #unread: Entry[] | undefined;
  #octets = 0;
  readonly #hash = createHash("sha256");
  /** In a further try: octets that are still to come again, and the hash of those that did. */
  #repeated = 0;
  #repeatedHash: Hash | undefined;
  #busy: void | Promise<void> = undefined;

  constructor({ parse, isDoubtful }: LineReader, formatter: ListingFormatter, write: Write) {
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

  /** The server sends the listing again: what was read is compared and skipped. */
  restart(): void {
    this.#repeated = this.#octets;
    this.#repeatedHash = createHash("sha256");
  }

  /** @throws FtpullError "integrity" if octets differ from those of the last try */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.#repeated === 0 ? chunk : this.#behindRepeated(chunk);
    this.#octets += fresh.length;
    this.#hash.update(fresh);
    return (this.#busy = this.#read(fresh));
  }

  /** False if no line could be parsed; then none was shown. */
  async end(): Promise<boolean> {
    if (this.#repeated > 0) throw changedListing();
    this.#splitter.end();
    if (this.#unread !== undefined && this.#unread.length > 0) return false;
    await this.pause();
    return true;
  }

  /** Shows all but an incomplete line, since another try may follow. */
  async pause(): Promise<void> {
    await this.#busy;
    this.#text += this.#formatter.end();
    await this.#flush();
  }

  /** The part of `chunk` that the last try did not receive. */
  #behindRepeated(chunk: Buffer): Buffer {
    const repeated = chunk.subarray(0, this.#repeated);
    this.#repeated -= repeated.length;
    this.#repeatedHash?.update(repeated);
    if (this.#repeated === 0) this.#checkRepeated();
    return chunk.subarray(repeated.length);
  }

  #checkRepeated(): void {
    const digest = this.#hash.copy().digest();
    if (this.#repeatedHash?.digest().equals(digest) !== true) throw changedListing();
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    if (entry.isRead && unread.length < firstLines) {
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

/** A listing that was shown in part, and the writer to continue it. */
export interface ShownListing {
  readonly form: string;
  readonly writer: ListingWriter;
}

/** What was shown can't be taken back, and the rest may not match it. */
export function changedListing(): FtpullError {
  return new FtpullError("integrity", "the listing has changed since its first lines were shown");
}
