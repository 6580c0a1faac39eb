/** Facts about the files of a listing: read from it, and asked for where its times are too coarse. */
import { comparesFacts } from "../../files/existing.ts";
import { existingFile } from "../../files/regular-file.ts";
import type { DocumentPlan, Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { Plan } from "../../url/plan.ts";
import type { Tries } from "../task-tries.ts";
import { fateOf } from "./fate.ts";
import { type Directory, type ListedDirectory, planOfEntry } from "./tree.ts";
import { comesFirst, knownFate, shownTime, type TreeEntry } from "./tree-listing.ts";

const mostAsked = 100;

/**
 * Asks for sizes and times of files that may be unchanged or, with --spider, are chosen by their times, many in
 * one write. Without an answer, the file's own task asks again. @throws what breaks the session
 */
export async function askTimes(session: Session, listed: ListedDirectory, tries: Tries) {
  const { directory, listing, isNewHere } = listed;
  if (isNewHere || !session.features.has("MDTM")) return;
  const entries = listing.entries.filter((entry) => isToAsk(directory, entry));
  for (let at = 0; at < entries.length; at += mostAsked) {
    const group = entries.slice(at, at + mostAsked);
    const plans = group.map(({ name }) => planOfEntry(listed, name, "retrieve"));
    const isLast = at + mostAsked >= entries.length;
    // Files about which the server isn't asked are fetched before the next listing.
    const isListingNext = isLast && listing.entries.filter(comesFirst).length === entries.length;
    const coming = isListingNext ? nextListing(session, listed, tries) : undefined;
    let answers = 0;
    for await (const { facts } of session.locateAll(plans, coming)) {
      const entry = group[answers++]!;
      const { size, modified } = facts;
      if (size !== undefined && modified !== undefined) {
        const exact = { size, seconds: modified.getTime() / 1000, precision: "exact" } as const;
        const fate = fateOf(directory, { modified, ...entry, precision: "exact" });
        Object.assign(entry, exact);
        if (fate.kind !== "file") entry.fate = fate;
        tries.answers++; // What isn't told is asked in each try.
      }
    }
  }
}

/** The listing that follows if no file is fetched: its commands travel with the questions. */
function nextListing(
  session: Session,
  listed: ListedDirectory,
  tries: Tries,
): DocumentPlan | undefined {
  const { directory, listing } = listed;
  const isNext = (one: TreeEntry) => !comesFirst(one) && knownFate(one).kind !== "unfetchable";
  const [first] = listing.entries.filter(isNext);
  if (first === undefined) {
    const next = tries.upcoming(session, "listing");
    return next?.action === "list" ? next : undefined;
  }
  const isEntered = directory.level < directory.options.selection.levels;
  const isListed = knownFate(first).kind === "directory" && isEntered;
  return isListed ? planOfEntry(listed, first.name, "list") : undefined;
}

function isToAsk(directory: Directory, entry: TreeEntry): boolean {
  if (knownFate(entry).kind !== "file" || entry.precision === "exact") return false;
  const { inventory, selection, rules } = directory.options;
  if (inventory !== undefined) return selection.hasTimes;
  return comparesFacts(rules.existing) && hasListedSize(directory, entry);
}

/** With another size than the listed one, the local file is fetched whatever its time. */
function hasListedSize(directory: Directory, { name, size }: TreeEntry): boolean {
  try {
    return size !== undefined && existingFile(directory.localPathOf(name))?.size === size;
  } catch {
    return false; // The file's own task will fail.
  }
}

/** Facts from an entry, with "server" as the source where the file's own task needn't ask. */
export function listedFacts({ type }: Plan, entry: TreeEntry): Facts {
  const { precision } = entry;
  // As many octets are transferred as the file has in image type only: a text needs a time, and no size.
  const size = type === "I" ? entry.size : undefined;
  const source = precision === "exact" && entry.size !== undefined ? "server" : "listing";
  return { size, modified: shownTime(entry), unit: units[precision], source };
}

/** Seconds to which the time of a listing is exact. */
const units = { exact: undefined, minute: 60, day: 86_400 } as const;
