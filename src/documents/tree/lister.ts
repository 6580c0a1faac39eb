/** Lists the directories of a tree, with the names that LIST may hide, and with the targets that MLSD may lack. */
import { type FtpullError, hasReason, toFtpullError } from "../../errors.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { copyOf } from "../../text/percent.ts";
import type { Plan } from "../../url/plan.ts";
import { hasMlsd, type ListingSink, readListing } from "../listing/read-listing.ts";
import { EntryList, type Fate, treeEntry, type TreeListing } from "./tree-listing.ts";

/** Which directory is listed. `note` tells the fate of each entry: what isn't wanted isn't kept in memory. */
interface Request {
  readonly plan: Plan;
  readonly note: (entry: Entry) => Fate;
  readonly refusal: Error | undefined;
}

export class Lister {
  /** The command that is enough where there is no MLSD; undefined until one directory has shown it. */
  #enough: Enough;

  /**
   * Asks in this order, until it is enough. Failures and possibly missing names are noted in the listing.
   *
   *     MLSD       if there is one; where it is refused, LIST comes in its place
   *     LIST       if a directory has shown that it is enough
   *     LIST -a    enough if a directory has shown it, or if it has "." and names
   *     LIST       to be compared, unless it came in place of MLSD
   *
   * @throws Interrupted
   */
  async list(session: Session, request: Request): Promise<TreeListing> {
    const ask = (isAll = false) => listingOf(session, request, isAll);
    const isPlainFirst = hasMlsd(session) || this.#enough === "LIST";
    const plain = isPlainFirst ? await ask() : undefined;
    if (plain?.command === "MLSD") return withTargets(plain, session, request);
    if (plain !== undefined && (this.#enough === "LIST" || plain.failure !== undefined))
      return plain;
    const all = await ask(true);
    const isProven = this.#enough === "LIST -a" || (all.itself !== undefined && all.count > 0);
    if (all.failure === undefined ? isProven : !session.usable) return all;
    const { listing, enough } = compared(plain ?? (await ask()), all);
    this.#enough = enough ?? this.#enough;
    return listing;
  }
}

type Enough = "LIST" | "LIST -a" | undefined;

/**
 * Which of both listings counts, and which command is enough from then on, if the two show it:
 *
 *     LIST            LIST -a         listing                          enough
 *     failed          in any case     LIST
 *     whole           failed          LIST, with the failure of -a
 *     some entries    refused         LIST, with a warning             LIST
 *     no entries      refused         LIST, with a warning
 *     more entries    fewer           LIST                             LIST
 *     as many         as many         LIST -a                          LIST -a, if these are any
 *     fewer           more            LIST -a
 */
function compared(plain: TreeListing, all: TreeListing): { listing: TreeListing; enough?: Enough } {
  const { failure } = all;
  if (plain.failure !== undefined) return { listing: plain };
  if (failure !== undefined && !isRefused(failure)) return { listing: { ...plain, failure } };
  const enough = plain.count > all.count ? "LIST" : undefined;
  if (failure !== undefined) {
    const cut = `"LIST -a" was refused (${failure.message}): hidden files may be left out`;
    return { listing: { ...plain, cut }, enough };
  }
  if (enough === "LIST") return { listing: plain, enough };
  const areAlike = plain.count === all.count && all.count > 0;
  return { listing: all, enough: areAlike ? "LIST -a" : undefined };
}

/** Asks LIST for the fates of links that MLSD has shown without a target. */
async function withTargets(listing: TreeListing, session: Session, request: Request) {
  const links = listing.entries.filter(({ type, target }) => type === "link" && !target);
  if (listing.failure !== undefined || links.length === 0) return listing;
  const fates = new Map<string, Fate>();
  const note = (entry: Entry): Fate => {
    if (entry.type === "link") fates.set(copyOf(entry.name), request.note(entry));
    return { kind: "unwanted" };
  };
  const { failure } = await listingOf(session, { ...request, note }, true);
  for (const entry of links) entry.fate = fates.get(entry.name) ?? entry.fate!;
  return failure === undefined || isRefused(failure) ? listing : { ...listing, failure };
}

/** True if the server refused "-a", perhaps as a missing name, by 450 too. */
function isRefused(failure: FtpullError): boolean {
  if (failure.kind !== "refused" || failure instanceof DirectoryRefused) return false;
  return !failure.transient || saysNothingThere(failure);
}

async function listingOf(
  session: Session,
  { plan, note, refusal }: Request,
  isAll: boolean,
): Promise<TreeListing> {
  let listing = emptyListing("LIST");
  const begin: ListingSink["begin"] = (command) => {
    listing = emptyListing(command);
    return {
      entry: (entry) => {
        if (entry.type !== "unread") listing.count++;
        const fate = note(entry);
        if (fate.kind !== "unwanted") listing.entries.add(treeEntry(entry, fate));
      },
      itself: (entry) => void (listing.itself = entry),
    };
  };
  try {
    await readListing(session, plan, { isAll, refusal, begin });
    return listing;
  } catch (error) {
    if (hasReason(error, "interrupted")) throw error;
    return { ...listing, failure: toFtpullError(error) };
  }
}

function emptyListing(command: ListingCommand) {
  return { command, entries: new EntryList(), count: 0, itself: undefined as Entry | undefined };
}
