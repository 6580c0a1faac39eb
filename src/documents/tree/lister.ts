/**
 * The listing of a directory of a tree, and which command shows all of its names: LIST may leave
 * those with a leading dot out, and some servers read the "-a" of `LIST -a` as a name.
 */
import { type FtpullError, Interrupted, isOutOfFiles, toFtpullError } from "../../errors.ts";
import { hasMlsd } from "../../ftp/list-directory.ts";
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

/** In so many directories with entries `LIST -a` may show nothing more before it is given up. */
const mostEqual = 3;

const mayLack = "hidden files may be left out";

/** Lists the directories of one tree, and learns from each what to ask for in the next. */
export class Lister {
  readonly #observer: Observer;
  /** When `LIST -a` is asked for; undefined if the server doesn't know it, or hides nothing. */
  #hidden: "first" | "after LIST" | undefined = "after LIST";
  /** The directories with entries of which it has shown nothing more. */
  #equal = 0;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** A listing that isn't whole has its failure. @throws Interrupted */
  async list(session: Session, place: ToList): Promise<TreeListing> {
    if (this.#hidden === "first" && !hasMlsd(session)) {
      const all = await listingOf(session, place, true);
      if (all.showsSelf || all.failure !== undefined) return all;
      this.#hidden = "after LIST";
    }
    const plain = await listingOf(session, place);
    if (this.#hidden === undefined || !plain.mayHide) return plain;
    return this.#choose(plain, await listingOf(session, place, true, plain), place.shownUrl);
  }

  /** The answer to `LIST -a` where it is known and nothing of LIST is missing in it. */
  #choose(plain: TreeListing, all: TreeListing, shownUrl: string): TreeListing {
    const { failure } = all;
    const warn = (text: string): void => this.#observer.warning(`${shownUrl}: "LIST -a" ${text}`);
    if (failure !== undefined && isOwn(all, failure)) plain.failure = failure;
    else if (failure !== undefined) {
      this.#hidden = undefined;
      if (failure.transient) warn(`failed: ${mayLack}: ${failure.message}`);
    } else if (all.isSuperset) {
      this.#learn(plain.count, all);
      return all;
    } else if (all.count === 0)
      this.#hidden = undefined; // a file "-a" doesn't exist: its listing is empty
    else warn(`lacks names of LIST: ${mayLack}`);
    return plain;
  }

  /** Once it has shown more, it is asked for to the end. */
  #learn(plainCount: number, { count, showsSelf }: TreeListing): void {
    if (count > plainCount) this.#equal = -Infinity;
    else if (plainCount > 0 && ++this.#equal === mostEqual) this.#hidden = undefined;
    if (showsSelf) this.#hidden = "first";
  }
}

/** A server that has answered LIST and doesn't know "-a" may fail in any other way, and would again. */
function isOwn({ showsSelf }: TreeListing, failure: FtpullError): boolean {
  return showsSelf || isOutOfFiles(failure) || ["file", "integrity"].includes(failure.kind);
}

/** What one command shows; nothing, if no listing began. */
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
