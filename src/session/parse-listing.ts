/** Which parser reads the lines that a command asked for. */

import type { Entry } from "./listing-entry.ts";
import { parseListLine } from "./parse-list.ts";
import { parseMlsdLine } from "./parse-mlsd.ts";
import { parseNlstLine } from "./parse-nlst.ts";

/**
 * A function from line to entry for what `command` sends; it gives undefined for lines that
 * stand for no entry, and never throws. `now` is the time that dates without a year are near to.
 */
export function listingParser(
  command: "MLSD" | "LIST" | "NLST",
  now: Date,
): (line: string) => Entry | undefined {
  if (command === "MLSD") return parseMlsdLine;
  if (command === "NLST") return parseNlstLine;
  return (line) => parseListLine(line, now);
}
