/** Lines of LIST in Easily Parsed LIST Format, which publicfile sends (cr.yp.to/ftp/list/eplf.html). */

import { modeLetters, parseEntrySize, unreadEntry, type Entry } from "./listing-entry.ts";

/** The entry of a line such as `+i8388621.48594,m825718503,r,s280,<TAB>name`, or undefined. */
export function parseEplfLine(raw: string): Entry | undefined {
  const [, facts, name] = /^\+([^\t]*)\t(.+)$/s.exec(raw) ?? [];
  if (facts === undefined || name === undefined) return undefined;
  const entry = unreadEntry(raw, name);
  for (const fact of facts.split(",")) {
    const seconds = /^m(\d{1,11})$/.exec(fact)?.[1];
    const mode = /^up([0-7]+)$/.exec(fact)?.[1];
    if (fact === "/") entry.type = "directory";
    else if (fact === "r") entry.type = "file";
    else if (fact.startsWith("s")) entry.size = parseEntrySize(fact.slice(1));
    else if (mode !== undefined) entry.permissions = modeLetters(parseInt(mode, 8));
    else if (seconds !== undefined) {
      entry.modified = new Date(Number(seconds) * 1000);
      entry.modifiedExact = true;
    }
  }
  return entry;
}
