/** Lists the directories of a tree, with the names that LIST may hide, and with the targets that MLSD may lack. */
import { type FtpullError, Interrupted, toFtpullError } from "../../errors.ts";
import { saysNothingThere } from "../../ftp/control/reply.ts";
import { DirectoryRefused } from "../../ftp/path-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import type { Plan } from "../../url/plan.ts";
import { hasMlsd, type ListingSink, readListing } from "../listing/read-listing.ts";
import { type EntryFilter, TreeListing } from "./tree-listing.ts";

export class Lister {
  /** What is asked where there is no MLSD, until one directory has shown which command is enough. */
  #way: "LIST" | "LIST -a" | "both" = "both";

  /** Failures and possibly missing names are noted in the listing. @throws Interrupted */
  async list(
    session: Session,
    plan: Plan,
    keeps: EntryFilter,
    refusal?: Error,
  ): Promise<TreeListing> {
    const ask = (isAll = false) => listingOf(session, plan, keeps, { isAll, refusal });
    const isPlainFirst = hasMlsd(session) || this.#way === "LIST";
    const plain = isPlainFirst ? await ask() : undefined;
    if (plain?.command === "MLSD") return withTargets(plain, session, plan);
    if (plain !== undefined && (this.#way === "LIST" || plain.failure !== undefined)) return plain;
    const all = await ask(true);
    const isProven = this.#way === "LIST -a" || (all.showsItself && all.count > 0);
    if (isProven && all.failure === undefined) return all;
    if (all.failure !== undefined && !session.usable) return all;
    return this.#better(all, plain ?? (await ask()));
  }

  #better(all: TreeListing, plain: TreeListing): TreeListing {
    if (plain.failure !== undefined) return plain;
    if (all.failure !== undefined && !isRefused(all.failure)) {
      plain.failure = all.failure;
      return plain;
    }
    if (all.failure !== undefined)
      plain.cut = `"LIST -a" was refused (${all.failure.message}): hidden files may be left out`;
    if (plain.count > all.count) this.#way = "LIST";
    else if (plain.count === all.count && plain.count > 0) this.#way = "LIST -a";
    return all.failure !== undefined || plain.count > all.count ? plain : all;
  }
}

/** Asks LIST for the targets of links that MLSD has shown without one. */
async function withTargets(listing: TreeListing, session: Session, plan: Plan) {
  const links = listing.entries.filter(({ type, target }) => type === "link" && !target);
  if (links.length === 0 || listing.failure !== undefined) return listing;
  const other = await listingOf(session, plan, ({ type }) => type === "link", { isAll: true });
  if (other.failure !== undefined && !isRefused(other.failure)) listing.failure = other.failure;
  const targets = new Map(other.entries.map(({ name, target }) => [name, target]));
  for (const link of links) link.target = targets.get(link.name);
  return listing;
}

/** True if the server refused "-a", perhaps as a missing name, by 450 too. */
function isRefused(failure: FtpullError): boolean {
  if (failure.kind !== "refused" || failure instanceof DirectoryRefused) return false;
  return !failure.transient || saysNothingThere(failure);
}

async function listingOf(
  session: Session,
  plan: Plan,
  keeps: EntryFilter,
  request: Pick<ListingSink, "isAll" | "refusal">,
): Promise<TreeListing> {
  let listing = new TreeListing("LIST", keeps);
  const begin = (command: ListingCommand) => {
    listing = new TreeListing(command, keeps);
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
