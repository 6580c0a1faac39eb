/**
 * A directory as a document: lines in, entries, formatted octets out, without ever holding
 * the whole listing.
 */
import { isAscii } from "node:buffer";
import { Interrupted } from "../errors.ts";
import type { Destination } from "../local/destination.ts";
import type { Completion } from "../session/data-transfer.ts";
import type { Sink } from "../session/data-connection.ts";
import { listDirectory, type ListingDetail } from "../session/list-directory.ts";
import { unreadEntry, type Entry } from "../session/listing/entry.ts";
import { LineSplitter } from "../session/listing/line-splitter.ts";
import { listingParser, type ListingCommand } from "../session/listing/parse-listing.ts";
import type { Session } from "../session/session.ts";
import type { Plan } from "../url/plan.ts";
import type { EntryFormatter, Job } from "./job.ts";

/**
 * Lists the directory of `plan` to the job's listing output.
 * @throws ReplyError, FtpullError "network", "protocol", "file"
 */
export function fetchListing(session: Session, plan: Plan, job: Job): Promise<void> {
  return job.listing.turns.take(() => list(session, plan, job));
}

async function list(session: Session, plan: Plan, job: Job): Promise<void> {
  const { destination, detail } = job.listing;
  const document = { url: job.shownUrl, size: undefined, modified: undefined };
  let writer: ListingWriter | undefined;
  const sinkFor = (command: ListingCommand): Sink => {
    destination.begin(document, 0);
    const current = new ListingWriter(
      parserFor(command, detail),
      job.listing.formatter(),
      destination,
    );
    writer = current;
    return (chunk) => current.take(chunk);
  };
  try {
    const completion = await listDirectory(session, plan, detail, sinkFor);
    await writer?.end();
    confirmed(completion);
  } catch (error) {
    // Standard output may be what the run was interrupted for.
    if (!(error instanceof Interrupted)) await writer?.end().catch(() => undefined);
    await destination.discard();
    throw error;
  }
  await destination.finish(undefined);
}

type LineParser = (line: string) => Entry | undefined;

/** A raw listing keeps every line, also those that stand for no entry. */
function parserFor(command: ListingCommand, detail: ListingDetail): LineParser {
  return detail === "lines" ? (line) => unreadEntry(line) : listingParser(command, new Date());
}

/** A listing has no size to compare with: only the server's word makes it whole. */
function confirmed(completion: Completion): void {
  if (!completion.completed) throw completion.error;
}

/** What is made of so many octets is written before more are read: memory stays small, and in the youngest. */
const pieceSize = 16 * 1024;

class ListingWriter {
  readonly #destination: Destination;
  readonly #formatter: EntryFormatter;
  readonly #splitter: LineSplitter;
  /** Whether all that came was ASCII, and so all that is made of it, which is then copied as it is. */
  #isAscii = true;
  #text = "";

  constructor(parse: LineParser, formatter: EntryFormatter, destination: Destination) {
    this.#destination = destination;
    this.#formatter = formatter;
    this.#splitter = new LineSplitter((line) => {
      const entry = parse(line);
      if (entry !== undefined) this.#text += formatter.entry(entry);
    });
  }

  take(chunk: Buffer): void | Promise<void> {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      const piece = chunk.subarray(start, start + pieceSize);
      this.#isAscii &&= isAscii(piece);
      this.#splitter.push(piece);
      const written = this.#flush();
      if (written !== undefined)
        return written.then(() => this.take(chunk.subarray(start + pieceSize)));
    }
  }

  async end(): Promise<void> {
    this.#splitter.end();
    this.#text += this.#formatter.end();
    await this.#flush();
  }

  #flush(): void | Promise<void> {
    if (this.#text === "") return;
    const octets = Buffer.from(this.#text, this.#isAscii ? "latin1" : this.#formatter.encoding);
    this.#text = "";
    return this.#destination.write(octets);
  }
}
