/**
 * A directory as a document: how its lines are read, where they are shown, and whether the listing
 * is whole. The listing is never held in memory as a whole.
 */
import { FtpullError, Interrupted } from "../errors.ts";
import { missingBehind } from "../files/gaps.ts";
import { quoteReply } from "../ftp/control/reply.ts";
import { UnclosedData } from "../ftp/data/data-connection.ts";
import type { Completion } from "../ftp/data/transfer.ts";
import { listBy, listDirectory, type ListingReceiver } from "../ftp/list-directory.ts";
import type { Session } from "../ftp/session.ts";
import { saysCut } from "../listing/truncation-reply.ts";
import { unreadEntry } from "../listing/entry.ts";
import { listingParser, type ListingCommand } from "../listing/parse-listing.ts";
import type { Plan } from "../url/plan.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { Job, ListingOutput } from "./job.ts";
import {
  changedListing,
  type LineReader,
  ListingWriter,
  type ShownListing,
} from "./listing-writer.ts";

/** Lists the directory of `plan` to the job's listing output, one directory at a time. */
export function fetchListing(
  session: Session,
  plan: Plan,
  job: Job,
  state: AttemptState,
): Promise<void> {
  return job.listing.queue.take(() => list(session, plan, job, state));
}

async function list(session: Session, plan: Plan, job: Job, state: AttemptState): Promise<void> {
  const { destination, isRaw, formatterFor } = job.listing;
  const document = { url: job.shownUrl, size: undefined, modified: undefined };
  const { shown } = state;
  checkUninterrupted(job.listing, state);
  let current: ShownListing | undefined;
  const receiverFor = (command: ListingCommand, asItComes: boolean): ListingReceiver => {
    destination.open(document, missingBehind(0));
    const form = asItComes ? `${command} as it comes` : command;
    // Lines of another form can't be compared with those that were shown.
    const isOther = shown !== undefined && shown.form !== form;
    const write = (octets: Buffer): void | Promise<void> => {
      if (isOther) throw changedListing();
      const position = state.listed;
      state.listed += octets.length;
      job.listing.lastShown = state;
      return destination.writeAt(position, octets);
    };
    const reader = readerFor(command, isRaw, asItComes);
    const writer =
      shown === undefined || isOther
        ? new ListingWriter(reader, formatterFor(job.url, plan, command, asItComes), write)
        : shown.writer;
    if (writer === shown?.writer) writer.restart();
    else state.listed = 0;
    current = { form, writer };
    return { take: (chunk) => writer.take(chunk), end: () => writer.end() };
  };
  try {
    const { command } = job.listing;
    checkWhole(
      await (command === undefined
        ? listDirectory(session, plan, receiverFor)
        : listBy(session, plan, command, receiverFor)),
    );
    if (shown !== undefined && current?.writer !== shown.writer) throw changedListing();
  } catch (error) {
    // Standard output may be why the run was interrupted.
    if (!(error instanceof Interrupted)) await current?.writer.pause().catch(() => undefined);
    state.shown ??= destination.rewindable ? undefined : current;
    await destination.discard();
    throw error;
  }
  await destination.publish(undefined);
}

/** @throws FtpullError "integrity" when the rest would follow lines of another listing */
function checkUninterrupted(listing: ListingOutput, state: AttemptState): void {
  if (state.shown === undefined || listing.lastShown === state) return;
  const text = "lines of another listing were shown since this one broke off";
  throw new FtpullError("integrity", text, { hint: "list directories one at a time: -j 1" });
}

/** A raw listing keeps every line, also one that is no entry. */
function readerFor(command: ListingCommand, isRaw: boolean, asItComes: boolean): LineReader {
  if (isRaw) return { parse: (line) => unreadEntry(line), isDoubtful: false };
  return {
    parse: listingParser(command, new Date()),
    isDoubtful: command === "LIST" && !asItComes,
  };
}

/** A listing has no size: only the reply, and an end that TLS confirms, make it whole. */
function checkWhole(completion: Completion): void {
  if (!completion.completed) {
    const { error } = completion;
    if (!(error instanceof UnclosedData)) throw error;
    throw new FtpullError("integrity", error.message, { transient: true, cause: error });
  }
  const { reply } = completion;
  if (reply === undefined || !saysCut(reply.lines)) return;
  throw new FtpullError("integrity", `the server cut the listing: ${quoteReply(reply)}`);
}
