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

/** What came of asking for a listing. */
export interface Answer {
  /** Undefined if no listing began. */
  readonly listing: TreeListing | undefined;
  /** Why it isn't whole. */
  readonly failure: FtpullError | undefined;
}

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

  /** @throws Interrupted */
  async list(session: Session, place: ToList): Promise<Answer> {
    if (this.#hidden === "first" && !hasMlsd(session)) {
      const all = await answerTo(session, place, true);
      if (all.listing?.showsSelf || all.failure !== undefined) return all;
      this.#hidden = "after LIST";
    }
    const plain = await answerTo(session, place);
    if (this.#hidden === undefined || showsHidden(plain)) return plain;
    return this.#choose(plain, await answerTo(session, place, true, plain), place.shownUrl);
  }

  /** The answer to `LIST -a` where it is known and nothing of LIST is missing in it. */
  #choose(plain: Answer, all: Answer, shownUrl: string): Answer {
    const broken = this.#isUnknown(all, shownUrl) ? undefined : all.failure;
    const failure = plain.failure ?? broken;
    const isUsed =
      failure === undefined && all.failure === undefined && this.#isBetter(plain, all, shownUrl);
    if (isUsed && all.listing?.showsSelf) this.#hidden = "first";
    return { ...(isUsed ? all : plain), failure };
  }

  /** A server that has answered LIST and doesn't know "-a" may fail in any way, and would again. */
  #isUnknown({ listing, failure }: Answer, shownUrl: string): boolean {
    if (failure === undefined || listing?.showsSelf || isOutOfFiles(failure)) return false;
    if (failure.kind === "file" || failure.kind === "integrity") return false;
    this.#hidden = undefined;
    if (failure.transient)
      this.#observer.warning(`${shownUrl}: "LIST -a" failed: ${mayLack}: ${failure.message}`);
    return true;
  }

  #isBetter({ listing: plain }: Answer, { listing: all }: Answer, shownUrl: string): boolean {
    if (plain === undefined) return true;
    if (all?.isSuperset) {
      this.#compare(plain.count, all.count);
      return true;
    }
    // A file "-a" doesn't exist: its listing is empty.
    if (all?.isEmpty) this.#hidden = undefined;
    else this.#observer.warning(`${shownUrl}: "LIST -a" lacks names of LIST: ${mayLack}`);
    return false;
  }

  /** Once it has shown more, it is asked for to the end. */
  #compare(plain: number, all: number): void {
    if (all > plain) this.#equal = -Infinity;
    else if (plain > 0 && ++this.#equal === mostEqual) this.#hidden = undefined;
  }
}

/** Whether no further names can be expected. */
function showsHidden({ listing, failure }: Answer): boolean {
  if (failure !== undefined || listing === undefined) return true;
  const { showsSelf, command, isEmpty } = listing;
  return showsSelf || command === "MLSD" || (command === "NLST" && !isEmpty);
}

async function answerTo(
  session: Session,
  { plan, keeps }: ToList,
  isAll = false,
  plain?: Answer,
): Promise<Answer> {
  let listing: TreeListing | undefined;
  const begin = (command: ListingCommand) => ({
    formatter: (listing = new TreeListing(command, keeps, plain?.listing)),
  });
  try {
    await readListing(session, plan, { isAll, begin });
    return { listing, failure: undefined };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return { listing, failure: toFtpullError(error) };
  }
}
