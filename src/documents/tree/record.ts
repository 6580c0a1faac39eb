/**
 * What a tree keeps of an entry until its turn comes: one line of octets, since a directory may
 * have more entries than fit into memory.
 */
import type { Entry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";

export interface EntryRecord {
  /** Unread: the line is no entry, or one of an unknown format. */
  readonly type: Entry["type"] | "unread";
  /** Octets; the whole line where it is unread. */
  readonly name: string;
  readonly size: number | undefined;
  /** Only if it is as exact as MDTM's. */
  readonly modified: Date | undefined;
}

const letters = { file: "f", directory: "d", link: "l", unknown: "u", unread: "x" } as const;
const types = new Map(Object.entries(letters).map(([type, letter]) => [letter, type]));

/** Writes entries as records, one a line. */
export function recorder(command: ListingCommand): ListingFormatter {
  return { encoding: "latin1", entry: (entry) => recordOf(entry, command), end: () => "" };
}

function recordOf(entry: Entry, command: ListingCommand): string {
  // A line of NLST is a name, and nothing else is known.
  const isUnread = entry.type === "unknown" && entry.name === entry.raw && command !== "NLST";
  const modified = entry.modifiedExact ? entry.modified?.getTime() : undefined;
  const letter = letters[isUnread ? "unread" : entry.type];
  return `${letter} ${entry.size ?? ""} ${modified ?? ""} ${entry.name}\n`;
}

export function parseRecord(line: string): EntryRecord {
  const sizeEnd = line.indexOf(" ", 2);
  const timeEnd = line.indexOf(" ", sizeEnd + 1);
  const [size, time] = [line.slice(2, sizeEnd), line.slice(sizeEnd + 1, timeEnd)];
  return {
    type: types.get(line[0] as "f") as EntryRecord["type"],
    name: line.slice(timeEnd + 1),
    size: size === "" ? undefined : Number(size),
    modified: time === "" ? undefined : new Date(Number(time)),
  };
}
