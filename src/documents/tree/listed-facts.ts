/** Facts about a file of a tree before its own task: from the listing, and from answers about times. */
import type { Facts } from "../../ftp/document-steps.ts";
import type { Plan } from "../../url/plan.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

/**
 * The facts of an entry. "server": they show, with a time, if the file is unchanged. A listed size
 * alone is "listing", since an answer to MDTM may be of another moment.
 */
export function factsOfEntry({ type }: Plan, entry: TreeEntry): Facts {
  const { size, precision } = entry;
  // The size is the number of transferred octets in image type only.
  const isImage = type === "I";
  // A listing has both facts, or SIZE and MDTM are asked.
  const hasTime = precision === "asked" || size !== undefined;
  const modified = hasTime ? exactTime(entry) : undefined;
  // Either only the time was asked for, or only SIZE was answered.
  const isAnswered = precision === "asked" && isImage === (modified === undefined);
  const isExact = isAnswered || (precision === "exact" && modified !== undefined);
  return { size: isImage ? size : undefined, modified, source: isExact ? "server" : "listing" };
}
