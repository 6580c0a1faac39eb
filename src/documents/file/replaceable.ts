/** Which files with a document's final name the document may replace by -c. */
import type { Replaceable } from "../../files/destination.ts";
import type { Download } from "./download.ts";

/** True with -N, in a tree and with a checksum, which tell which document belongs in a file's place. */
export function replacesAnyFile({ rules, verification }: Download): boolean {
  return rules.isToFetch !== undefined || verification.checksums.length > 0;
}

export function replaceableBy(download: Download): Replaceable {
  if (replacesAnyFile(download)) return "any";
  // A file that fits this document may not fit the one that a later run finds in its place.
  return download.plainFile === undefined ? "found" : "beginning";
}
