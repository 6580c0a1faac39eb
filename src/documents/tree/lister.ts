/**
 * Lists the directories of a tree by LIST and `LIST -a`, until one directory has proven which shows all names: LIST may
 * leave out names with a leading dot, and some servers read "-a" as a name.
 */
import { type FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import { hasMlsd } from "../../ftp/list-directory.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { Plan } from "../../url/plan.ts";
import { type ListingSink, readListing } from "../listing/read-listing.ts";
import { type EntryFilter, TreeListing } from "./tree-listing.ts";

export class Lister {
  #proven: "LIST" | "LIST -a" | undefined;

  /** Failures and possibly missing names are noted in the listing. @throws Interrupted */
  async list(
    session: Session,
    plan: Plan,
    keeps: EntryFilter,
    refusal?: Error,
  ): Promise<TreeListing> {
    if (this.#proven === "LIST -a" && !hasMlsd(session)) {
      const all = await listingOf(session, plan, keeps, { isAll: true });
      const answer = answerOf(all);
      if (answer === "whole" || answer === "failed") return all;
    }
    const plain = await listingOf(session, plan, keeps, { refusal });
    if (plain.lacksTargets) await addTargets(plain, session, plan);
    if (this.#proven === "LIST" || !plain.mayHide) return plain;
    if (this.#proven === "LIST -a" && plain.isEmpty) return plain;
    return this.#choose(plain, await listingOf(session, plan, keeps, { isAll: true }, plain));
  }

  #choose(plain: TreeListing, all: TreeListing): TreeListing {
    const { failure } = all;
    const note = (words: string): string => `"LIST -a" ${words}: hidden files may be left out`;
    switch (answerOf(all)) {
      case "whole":
        this.#proven = "LIST -a";
        return all;
      case "empty":
        return all;
      case "failed":
        plain.failure = failure;
        return plain;
      case "lacks names":
        plain.cut = note("lacks names of LIST");
        return plain;
      case "no option":
        this.#proven = "LIST";
        plain.hidesDots = true;
        plain.cut = failure && note(`was refused (${failure.message})`);
        return plain;
    }
  }
}

async function addTargets(plain: TreeListing, session: Session, plan: Plan): Promise<void> {
  const all = await listingOf(session, plan, () => true, { isAll: true });
  if (all.failure === undefined) plain.takeLinks(all);
  else if (!isRefused(all.failure)) plain.failure = all.failure;
}

/** Answers to `LIST -a`; "no option" is a refusal, or no name where LIST has some: the server looks for a file "-a". */
type Answer = "whole" | "empty" | "lacks names" | "no option" | "failed";

function answerOf(all: TreeListing): Answer {
  if (all.failure !== undefined) return isRefused(all.failure) ? "no option" : "failed";
  if (all.isSuperset) return all.isEmpty ? "empty" : "whole";
  return all.count === 0 ? "no option" : "lacks names";
}

/** True if the server refused "-a", perhaps as a missing name, by 450 too: LIST has listed the directory. */
function isRefused(failure: FtpullError): boolean {
  if (failure.kind !== "refused" || failure instanceof DirectoryRefused) return false;
  return !failure.transient || saysNothingThere(failure);
}

async function listingOf(
  session: Session,
  plan: Plan,
  keeps: EntryFilter,
  request: Pick<ListingSink, "isAll" | "refusal">,
  plain?: TreeListing,
): Promise<TreeListing> {
  let listing = new TreeListing("LIST", keeps);
  const begin = (command: ListingCommand) => {
    listing = new TreeListing(request.isAll ? "LIST -a" : command, keeps, plain);
    return { formatter: listing };
  };
  try {
    await readListing(session, plan, { ...request, begin });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    listing.failure = toFtpullError(error);
  }
  return listing;
}
