/** Reads a directory's listing: octets, lines, entries, formatted text. */
import { FtpullError, Interrupted } from "../../errors.ts";
import { quoteReply } from "../../ftp/control/reply.ts";
import { UnclosedData } from "../../ftp/data/data-connection.ts";
import type { Completion } from "../../ftp/data/transfer.ts";
import { listDirectory, type ListingReceiver, type ReceiverFor } from "../../ftp/list-directory.ts";
import type { Session } from "../../ftp/session.ts";
import { type Entry, type LineParser, unreadEntry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { LineSplitter } from "../../listing/line-splitter.ts";
import { listingParser, type ListingCommand } from "../../listing/parse-listing.ts";
import { saysCut } from "../../listing/truncation-reply.ts";
import type { Plan } from "../../url/plan.ts";

type Write = (octets: Buffer) => void | Promise<void>;

/** Octets that are read before their text is written: as text they take several times the memory. */
const pieceSize = 16 * 1024;

/** The format is unknown if none of so many first lines can be parsed. */
const firstLines = 10;

/**
 * Receiver of a listing. With `isAll`, only `LIST -a` is sent. `refusal` is the error for a name that was no
 * file, if listing it is refused as for an empty directory. `begin` is called for each command that is tried,
 * after an earlier one brought no entries; without `write` the formatter keeps the entries.
 */
export interface ListingSink {
  readonly isAll?: boolean;
  readonly refusal?: Error | undefined;
  begin(command: ListingCommand): { readonly formatter: ListingFormatter; readonly write?: Write };
}

/** Holds no listing in memory; if it breaks off, the lines received are shown. @throws FtpullError then */
export async function readListing(session: Session, plan: Plan, sink: ListingSink): Promise<void> {
  let writer: ListingWriter | undefined;
  const receiverFor: ReceiverFor = (command, unparsable) => {
    const { formatter, write } = sink.begin(command);
    const { isRaw } = formatter;
    const parse = isRaw ? unreadEntry : listingParser(command, new Date());
    const isDoubtful = !isRaw && command === "LIST" && unparsable === "refused";
    writer = new ListingWriter(parse, isDoubtful, formatter, write);
    return writer;
  };
  try {
    const completion = await listDirectory(session, plan, receiverFor, sink.isAll);
    checkWhole(completion);
    // z/OS lets any prefix of names be entered like a directory.
    const { isEmpty, error, reply } = completion;
    const isRefused = isEmpty && error === undefined && reply === undefined;
    if (isRefused && sink.refusal !== undefined) throw sink.refusal;
  } catch (error) {
    // The run may have been interrupted because of standard output.
    if (!(error instanceof Interrupted)) await writer?.breakOff().catch(() => undefined);
    throw error;
  }
}

class ListingWriter implements ListingReceiver {
  readonly #formatter: ListingFormatter;
  readonly #write: Write | undefined;
  readonly #splitter: LineSplitter;
  #text = "";
  #unread: Entry[] | undefined;
  #busy: void | Promise<void> = undefined;

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
    this.#busy = this.#read(chunk);
    return this.#busy;
  }

  async end(): Promise<boolean> {
    this.#splitter.end();
    if (this.#unread?.length) return false;
    await this.breakOff();
    return true;
  }

  async breakOff(): Promise<void> {
    await this.#busy;
    this.#text += this.#formatter.end?.() ?? "";
    await this.#flush();
  }

  #tryFirst(entry: Entry, unread: Entry[]): void {
    if (unread.length === firstLines) return;
    unread.push(entry);
    if (entry.type === "unread") return;
    this.#unread = undefined;
    for (const held of unread) this.#text += this.#formatter.entry(held);
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

/** Listings have no size: only the reply, and an end that TLS confirms, make one whole. */
function checkWhole({ error, reply }: Completion): void {
  if (error !== undefined)
    throw error instanceof UnclosedData ? error.with({ kind: "integrity" }) : error;
  if (reply === undefined || !saysCut(reply.lines)) return;
  throw new FtpullError("integrity", `the server cut the listing: ${quoteReply(reply)}`);
}
