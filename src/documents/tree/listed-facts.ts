/** Facts about the files of a listing: read from it, and asked for where its times are too coarse. */
import { existingFile } from "../../files/regular-file.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Directory, TreeOptions } from "./directory.ts";
import { inTurn, whyUnfetchable } from "./entry-filter.ts";
import { exactTime, isFile, type TreeEntry } from "./tree-listing.ts";

const mostAsked = 100;

/** Asks the server for facts that listings lack, and writes them into the entries. @throws what breaks the session */
export async function askTimes(
  session: Session,
  directory: Directory,
  listed: readonly TreeEntry[],
  tries: Tries,
): Promise<void> {
  const entries = entriesToAsk(directory, listed);
  const asks = factsToAsk(session, directory.options);
  for (let at = 0; at < entries.length; at += mostAsked) {
    const group = entries.slice(at, at + mostAsked);
    const plans = group.map(({ name }) => ({ ...directory.planOf(name, "retrieve"), asks }));
    const isLast = at + mostAsked >= entries.length;
    // Files about which the server isn't asked are fetched before the next listing.
    const isListingNext = isLast && listed.filter(isFile).length === entries.length;
    const next = isListingNext ? nextListing(directory, listed, tries, session) : undefined;
    let answers = 0;
    for await (const { facts } of session.locateAll(plans, next)) {
      noteAnswer(group[answers]!, facts);
      answers++;
      tries.advance(tries.octets + 1); // Answers count as progress.
    }
  }
}

/** Files whose listed times are too coarse to choose files by them under --spider, else to leave unchanged ones. */
function entriesToAsk(directory: Directory, entries: readonly TreeEntry[]): TreeEntry[] {
  const { inventory, selection, rules } = directory.options;
  if (inventory !== undefined) return selection.hasTimes ? entries.filter(isCoarseFile) : [];
  const leavesUnchanged = rules.isToFetch !== undefined && !rules.keepsExisting;
  if (!leavesUnchanged) return [];
  return entries.filter((entry) => isCoarseFile(entry) && hasListedSize(directory, entry));
}

function isCoarseFile(entry: TreeEntry): boolean {
  const isCoarse = entry.precision === "minute" || entry.precision === "day";
  return entry.type === "file" && isCoarse && whyUnfetchable(entry) === undefined;
}

/** With another size than the listed one, the local file is fetched whatever its time. */
function hasListedSize(directory: Directory, { name, size }: TreeEntry): boolean {
  try {
    return size !== undefined && existingFile(directory.localPathOf(name))?.size === size;
  } catch {
    return false; // The file's own task will fail.
  }
}

/** "time", where listed sizes are trusted, or undefined for the size and the time. */
function factsToAsk(session: Session, options: TreeOptions): DocumentPlan["asks"] {
  const { checksums, inventory } = options;
  // Without MDTM only SIZE shows a change; and a list of checksums may be newer than the listing.
  const trustsSizes = checksums.expected === undefined && session.features.has("MDTM");
  return inventory !== undefined || trustsSizes ? "time" : undefined;
}

function nextListing(
  directory: Directory,
  listed: readonly TreeEntry[],
  tries: Tries,
  session: Session,
): DocumentPlan | undefined {
  const other = inTurn(directory, listed).find((entry) => !isFile(entry));
  if (other === undefined) return tries.upcoming(session).listing();
  const isListed =
    other.type === "directory" && directory.level < directory.options.selection.levels;
  return isListed ? directory.planOf(other.name, "list") : undefined;
}

/** Writes facts into an entry; after a 4yz the file's own task asks again. */
export function noteAnswer(entry: TreeEntry, { size, modified, failure }: Facts): void {
  entry.size = size ?? entry.size;
  if (modified !== undefined) {
    entry.precision = size === undefined ? "time asked" : "exact";
    entry.seconds = modified.getTime() / 1000;
  } else if (size !== undefined && failure === undefined) {
    entry.precision = "size asked";
    entry.seconds = undefined;
  }
}

/** Facts from an entry, with "server" as the source where the file's own task needn't ask. */
export function factsOfEntry({ type }: Plan, entry: TreeEntry): Facts {
  // As many octets are transferred as the file has in image type only: a text needs a time, and no size.
  const isImage = type === "I";
  const size = isImage ? entry.size : undefined;
  const modified = exactTime(entry);
  const { precision } = entry;
  if (precision === "size asked") return { size, modified, source: isImage ? "server" : "listing" };
  // A listed size may be of another moment than the answer to MDTM.
  if (precision === "time asked") return { size, modified, source: isImage ? "listing" : "server" };
  if (precision === "exact" && entry.size !== undefined)
    return { size, modified, source: "server" };
  return { size, modified: undefined, source: "listing" };
}
