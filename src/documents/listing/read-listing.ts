/** Reads a directory's listing by the commands that the server knows, and checks that it is whole. */
import { FtpullError, Interrupted } from "../../errors.ts";
import { quoteReply } from "../../ftp/control/reply.ts";
import { UnclosedData } from "../../ftp/data/data-connection.ts";
import type { Completion } from "../../ftp/data/transfer.ts";
import { listDirectory, type ReceiverFor } from "../../ftp/list-directory.ts";
import type { Session } from "../../ftp/session.ts";
import { unreadEntry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import { listingParser, type ListingCommand } from "../../listing/parse-listing.ts";
import { saysCut } from "../../listing/truncation-reply.ts";
import type { Plan } from "../../url/plan.ts";
import { ListingWriter, type Write } from "./listing-writer.ts";

export interface ListingSink {
  /** True: only `LIST -a` is sent; otherwise the server's features decide. */
  readonly isAll?: boolean;
  /** The error for a name that was no file, if the server refuses to list it as an empty directory, too. */
  readonly refusal?: Error | undefined;
  /** Called for each command that is tried, after an earlier one brought no entries. */
  begin(command: ListingCommand): { readonly formatter: ListingFormatter; readonly write?: Write };
}

/**
 * Lists the directory of `plan`; the listing is never held in memory. If it breaks off, the lines
 * received are shown. @throws FtpullError when it isn't whole
 */
export async function readListing(session: Session, plan: Plan, sink: ListingSink): Promise<void> {
  let writer: ListingWriter | undefined;
  const receiverFor: ReceiverFor = (command, asItComes) => {
    const { formatter, write } = sink.begin(command);
    // A raw listing keeps every line, even one that is no entry.
    const { isRaw } = formatter;
    const parse = isRaw ? unreadEntry : listingParser(command, new Date());
    const isDoubtful = !isRaw && command === "LIST" && !asItComes;
    return (writer = new ListingWriter(parse, isDoubtful, formatter, write));
  };
  try {
    const completion = await listDirectory(session, plan, receiverFor, sink.isAll);
    checkWhole(completion);
    // z/OS lets any prefix of names be entered like a directory.
    const isRefused = completion.isEmpty && completion.completed && completion.reply === undefined;
    if (isRefused && sink.refusal !== undefined) throw sink.refusal;
  } catch (error) {
    // The run may have been interrupted because of standard output.
    if (!(error instanceof Interrupted)) await writer?.breakOff().catch(() => undefined);
    throw error;
  }
}

/** Listings have no size: only the reply, and an end that TLS confirms, make one whole. */
function checkWhole(completion: Completion): void {
  if (!completion.completed) {
    const { error } = completion;
    throw error instanceof UnclosedData ? error.with({ kind: "integrity" }) : error;
  }
  const { reply } = completion;
  if (reply === undefined || !saysCut(reply.lines)) return;
  throw new FtpullError("integrity", `the server cut the listing: ${quoteReply(reply)}`);
}
