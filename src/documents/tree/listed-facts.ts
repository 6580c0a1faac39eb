/** Facts about a file of a tree before its own task: from the listing, and from the times that were asked for. */
import type { Facts } from "../../ftp/document-steps.ts";
import type { Plan } from "../../url/plan.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

/**
 * Facts that, with a time, show whether the file is unchanged; none is fetched by the listed size alone, as
 * that may be of another moment than an answer to MDTM.
 */
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
