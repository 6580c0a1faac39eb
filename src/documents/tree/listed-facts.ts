/** Facts about files before their own tasks: from a listing, and asked for where its times are too coarse. */
import { existingFile } from "../../files/regular-file.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import type { Directory } from "./directory.ts";
import { inTurn, whyUnfetchable } from "./entry-filter.ts";
import { exactTime, isFile, type TreeEntry } from "./tree-listing.ts";

const mostAsked = 100;

/** Writes the facts that the server is asked for into the entries. @throws what breaks the session */
export async function askTimes(
  session: Session,
  directory: Directory,
  listed: readonly TreeEntry[],
  tries: Tries,
): Promise<void> {
  const entries = entriesToAsk(directory, listed);
  const { checksums, inventory } = directory.options;
  // Without MDTM only SIZE shows a change; and a list of checksums may be newer than the listing.
  const trustsSizes = checksums.expected === undefined && session.features.has("MDTM");
  const asks = inventory !== undefined || trustsSizes ? ("time" as const) : undefined;
  for (let at = 0; at < entries.length; at += mostAsked) {
    const group = entries.slice(at, at + mostAsked);
    const plans = group.map(({ name }) => ({ ...directory.planOf(name, "retrieve"), asks }));
    const isLast = at + mostAsked >= entries.length;
    const isAllAsked = isLast && listed.filter(isFile).length === entries.length;
    const coming = isAllAsked ? listingBehind(directory, listed, tries, session) : undefined;
    let next = 0;
    for await (const { facts } of session.locateAll(plans, coming)) {
      noteAnswer(group[next++]!, facts);
      tries.advance(tries.octets + 1); // Answers count as progress.
    }
  }
}

/** The listing that is requested next, where no file is fetched before it. */
function listingBehind(
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

/** Times are needed under --spider to choose files by them, else to leave unchanged ones. */
function entriesToAsk(directory: Directory, entries: readonly TreeEntry[]): TreeEntry[] {
  const { inventory, selection, rules } = directory.options;
  const isChosen = inventory !== undefined;
  if (isChosen ? !selection.hasTimes : rules.isToFetch === undefined || rules.keepsExisting)
    return [];
  return entries.filter(
    (entry) =>
      entry.type === "file" &&
      (entry.precision === "minute" || entry.precision === "day") &&
      whyUnfetchable(entry) === undefined &&
      (isChosen || hasListedSize(directory, entry)),
  );
}

/** With another size than the listed one, the local file is fetched whatever its time. */
function hasListedSize(directory: Directory, { name, size }: TreeEntry): boolean {
  try {
    return size !== undefined && existingFile(directory.localPathOf(name))?.size === size;
  } catch {
    return false; // The file's own task will fail.
  }
}

/** Writes facts into an entry; after a 4yz the file's own task asks again. */
export function noteAnswer(entry: TreeEntry, { size, modified, failure }: Facts): void {
  entry.size = size ?? entry.size;
  if (modified === undefined && (size === undefined || failure !== undefined)) return;
  const isWhole = size !== undefined && modified !== undefined && failure === undefined;
  entry.precision = isWhole ? "exact" : "asked";
  entry.seconds = modified && modified.getTime() / 1000;
}

/** A listed size alone never passes for the server's: it may be of another moment than the answer to MDTM. */
export function factsOfEntry({ type }: Plan, entry: TreeEntry): Facts {
  const { size, precision } = entry;
  // As many octets are transferred as the file has in image type only.
  const isImage = type === "I";
  // A listing has both facts, or SIZE and MDTM are asked.
  const hasTime = precision === "asked" || size !== undefined;
  const modified = hasTime ? exactTime(entry) : undefined;
  // The time alone was asked for, or SIZE was all that answered.
  const isAnswered = precision === "asked" && isImage === (modified === undefined);
  const isExact = isAnswered || (precision === "exact" && modified !== undefined);
  return { size: isImage ? size : undefined, modified, source: isExact ? "server" : "listing" };
}
