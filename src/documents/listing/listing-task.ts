/** A directory as a document: its listing goes to standard output, or to a file of -O. */
import { toFtpullError } from "../../errors.ts";
import type { Destination } from "../../files/destination.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import { type Document, planOver, type Task } from "../task.ts";
import type { ListingReceiver } from "./listing-reader.ts";
import { type ListingSink, readListing } from "./read-listing.ts";

export interface ListingOutput {
  readonly destination: Destination;
  readonly formatterFor: (url: FtpUrl, plan: Plan) => ListingFormatter;
}

interface ListingTask extends Task {
  /** Lists by another plan than the document's: a file's task calls it for a name that is a directory's. */
  readonly list: (session: Session, plan: Plan, refusal?: Error) => Promise<Result>;
}

/** Makes the tasks of one output, which take turns: the lines of several listings don't mix. */
export function listingTasks(output: ListingOutput): (document: Document) => ListingTask {
  let turn: Promise<unknown> = Promise.resolve();
  return (document) => {
    const list: ListingTask["list"] = (session, plan, refusal) => {
      const written = turn.then(() => writeListing(document, output, session, plan, refusal));
      turn = written.catch(() => undefined); // After a failure the next one has its turn, too.
      return written;
    };
    return { document, list, run: (session) => list(session, planOver(session, document)) };
  };
}

async function writeListing(
  { url, shownUrl }: Document,
  { destination, formatterFor }: ListingOutput,
  session: Session,
  plan: Plan,
  refusal: Error | undefined,
): Promise<Result> {
  const begin: ListingSink["begin"] = () => {
    destination.choose({ url: shownUrl });
    void destination.open({ url: shownUrl }, 0);
    return writerTo(destination, formatterFor(url, plan));
  };
  try {
    await readListing(session, plan, { begin, refusal });
    const { octets } = destination;
    destination.publish(undefined);
    return { url: shownUrl, status: "done", exit: 0, file: destination.label, octets };
  } catch (error) {
    const canRepeat = destination.rewindable;
    destination.discard();
    const failure = toFtpullError(error);
    // A repetition would show again the lines that were shown.
    throw canRepeat || !failure.transient ? failure : failure.with({ transient: false });
  }
}

/** Writes the text of entries as they come. */
function writerTo(destination: Destination, formatter: ListingFormatter): ListingReceiver {
  const { isRaw } = formatter;
  let text = "";
  return {
    isRaw,
    entry: (entry) => void (text += formatter.entry(entry)),
    end: () => void (text += formatter.end?.() ?? ""),
    flush: () => {
      if (text === "") return;
      const octets = Buffer.from(text, isRaw ? "latin1" : "utf8");
      text = "";
      return destination.writeAt(destination.octets, octets);
    },
  };
}
