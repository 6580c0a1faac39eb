/** Which parser reads the lines that a command asked for, and the one that is short enough to stand here. */
import { isDotName, unreadEntry, type Entry } from "./entry.ts";
import { parseUnixDate } from "./list-date.ts";
import { parseListLine } from "./parse-list.ts";
import { parseMlsdLine } from "./parse-mlsd.ts";

/** The commands of RFC 959 and RFC 3659 whose data is a listing. */
export type ListingCommand = "MLSD" | "LIST" | "NLST";

/**
 * A function from line to entry for what `command` sends; it gives undefined for lines that
 * stand for no entry, and never throws. `now` is the time that dates without a year are near to.
 */
export function listingParser(
  command: ListingCommand,
  now: Date,
): (line: string) => Entry | undefined {
  if (command === "MLSD") return parseMlsdLine;
  if (command === "NLST") return parseNlstLine;
  const dateOf = remembering((text) => parseUnixDate(text, now));
  return (line) => parseListLine(line, now, dateOf);
}

/** Many of a directory's files are of one day or minute: their date is read once. */
function remembering(read: (text: string) => Date | undefined): typeof read {
  const known = new Map<string, Date | undefined>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined || known.has(text)) return found;
    if (known.size === 1000) known.clear();
    const date = read(text);
    known.set(text, date);
    return date;
  };
}

/**
 * A line of NLST is a name. Servers that answer `NLST dir` with `dir/name` have the directory
 * dropped; a slash at the end (`ls -F`) makes the entry a directory, as no name holds a slash.
 */
function parseNlstLine(raw: string): Entry | undefined {
  if (raw === "") return undefined;
  const marked = raw.endsWith("/");
  const path = marked ? raw.slice(0, -1) : raw;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "") return unreadEntry(raw);
  if (isDotName(name)) return undefined;
  const entry = unreadEntry(raw, name);
  if (marked) entry.type = "directory";
  return entry;
}
