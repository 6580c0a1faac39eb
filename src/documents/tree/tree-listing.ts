/** The listing of a tree's directory as a value; a million entries have to fit in memory. */
import type { FtpullError } from "../../errors.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { copyOf } from "../../text/percent.ts";

export interface TreeListing {
  readonly command: ListingCommand;
  /** The wanted entries. */
  readonly entries: readonly TreeEntry[];
  /** Number of wanted and other entries that could be read. */
  readonly count: number;
  /** The directory's own entry, if the listing shows it. */
  readonly itself: TreeEntry | undefined;
  /** The failure that ended the listing: the entries before it are fetched all the same. */
  readonly failure?: FtpullError;
  /** Reason why a listing without failure may lack names. */
  readonly cut?: string;
}

/** An entry, with exact facts in place of the listing's once the server was asked for them. */
export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  size: number | undefined;
  /** Time as the listing shows it, in seconds since 1970: V8 stores a small number without an object. */
  seconds: number | undefined;
  precision: Entry["precision"];
  target?: string;
  unique?: string;
}

export function shownTime({ seconds }: TreeEntry): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

export function exactTime(entry: TreeEntry): Date | undefined {
  return entry.precision === "exact" ? shownTime(entry) : undefined;
}

/** True also for an unread line, whose task is to report it. */
export function isFile({ type }: TreeEntry): boolean {
  return type === "file" || type === "unread";
}

/** A literal with spread properties would take 24 octets more for each entry (V8). */
export function treeEntry(entry: Entry): TreeEntry {
  const { type, name, size, modified, precision, target, unique } = entry;
  const seconds = modified && modified.getTime() / 1000;
  const kept: TreeEntry = { type, name: copyOf(name), size, precision, seconds };
  if (type === "link" && target !== undefined) kept.target = copyOf(target);
  if ((type === "directory" || type === "itself") && unique) kept.unique = copyOf(unique);
  return kept;
}
