/**
 * The listing of a directory of a tree, and which command shows all of its names: LIST may leave
 * those with a leading dot out, and some servers read the "-a" of `LIST -a` as a name.
 */
import { type FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import { hasMlsd } from "../../ftp/list-directory.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { Plan } from "../../url/plan.ts";
import type { Observer } from "../events.ts";
import { readListing } from "../listing/read-listing.ts";
import { type TreeEntry, TreeListing } from "./tree-listing.ts";

/** A directory to be listed. */
export interface ToList {
  readonly plan: Plan;
  readonly shownUrl: string;
  readonly keeps: (entry: TreeEntry) => boolean;
}

/** Lists the directories of one tree, and learns which command shows all names of the others. */
export class Lister {
  readonly #observer: Observer;
  /** The command that is enough, once a directory has proven it. */
  #proven: "LIST" | "LIST -a" | undefined;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** A listing that isn't whole has its failure. @throws Interrupted */
  async list(session: Session, place: ToList): Promise<TreeListing> {
    if (this.#proven === "LIST -a" && !hasMlsd(session)) {
      const all = await listingOf(session, place, true);
      const isKnown = all.failure === undefined ? !all.isEmpty : !isRefused(all.failure);
      if (isKnown) return all;
    }
    const plain = await listingOf(session, place);
    const isProven = this.#proven === "LIST" || (this.#proven !== undefined && plain.isEmpty);
    if (isProven || !plain.mayHide) return plain;
    return this.#choose(plain, await listingOf(session, place, true, plain), place.shownUrl);
  }

  /** The answer to `LIST -a` where it is known and nothing of LIST is missing in it. */
  #choose(plain: TreeListing, all: TreeListing, shownUrl: string): TreeListing {
    const { failure } = all;
    const warn = (text: string): void =>
      this.#observer.warning(`${shownUrl}: "LIST -a" ${text}: hidden files may be left out`);
    if (failure === undefined && all.isSuperset) {
      if (!all.isEmpty) this.#proven = "LIST -a";
      return all;
    }
    if (failure !== undefined && !isRefused(failure)) plain.failure = failure;
    else if (failure !== undefined) {
      this.#proven = "LIST";
      warn(`was refused (${failure.message})`);
    } else if (all.count === 0)
      this.#proven = "LIST"; // a file "-a" doesn't exist: its listing is empty
    else warn("lacks names of LIST");
    return plain;
  }
}

/** Servers may read "-a" as a name, and answer 450 if there is none: the directory itself was listed. */
function isRefused(failure: FtpullError): boolean {
  if (failure.kind !== "refused" || failure instanceof DirectoryRefused) return false;
  return !failure.transient || saysNothingThere(failure);
}

/** Listing by a single command; empty if none began. */
async function listingOf(
  session: Session,
  { plan, keeps }: ToList,
  isAll = false,
  plain?: TreeListing,
): Promise<TreeListing> {
  let listing = new TreeListing("LIST", keeps);
  const begin = (command: ListingCommand) => ({
    formatter: (listing = new TreeListing(command, keeps, plain)),
  });
  try {
    await readListing(session, plan, { isAll, begin });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    listing.failure = toFtpullError(error);
  }
  return listing;
}
