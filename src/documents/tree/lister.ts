/** Lists the directories of a tree, with the names that LIST may hide, and with the targets that MLSD may lack. */
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
  /** True once LIST has shown as many names as `LIST -a`, which the server doesn't know, or doesn't need. */
  #isPlainEnough = false;

  /** Failures and possibly missing names are noted in the listing. @throws Interrupted */
  async list(
    session: Session,
    plan: Plan,
    keeps: EntryFilter,
    refusal?: Error,
  ): Promise<TreeListing> {
    const ask = () => listingOf(session, plan, keeps, { refusal });
    const first = hasMlsd(session) || this.#isPlainEnough ? await ask() : undefined;
    if (first?.command === "MLSD") return withTargets(first, session, plan);
    if (first !== undefined && (this.#isPlainEnough || first.failure !== undefined)) return first;
    const all = await listingOf(session, plan, keeps, { isAll: true });
    // "." shows that "-a" was understood: some servers read it as a name.
    if (all.showsItself && all.count > 0 && all.failure === undefined) return all;
    const isBroken = all.failure !== undefined && !isRefused(all.failure);
    if (isBroken && !session.usable) return all;
    const plain = first ?? (await ask());
    if (isBroken) plain.failure ??= all.failure;
    if (plain.failure !== undefined) return plain;
    if (all.count > plain.count) return all;
    this.#isPlainEnough = plain.count > 0;
    if (all.failure !== undefined)
      plain.cut = `"LIST -a" was refused (${all.failure.message}): hidden files may be left out`;
    return plain;
  }
}

async function withTargets(listing: TreeListing, session: Session, plan: Plan) {
  const links = listing.entries.filter(({ type, target }) => type === "link" && !target);
  if (links.length === 0 || listing.failure !== undefined) return listing;
  const other = await listingOf(session, plan, () => true, { isAll: true });
  if (other.failure !== undefined && !isRefused(other.failure)) listing.failure = other.failure;
  for (const link of links) link.target = other.find(link.name)?.target;
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
