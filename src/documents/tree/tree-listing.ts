/** The listing of a directory in memory; a million entries have to fit. */
import type { FtpullError } from "../../errors.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { copyOf } from "../../text/percent.ts";

export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  size: number | undefined;
  /** Time as the listing shows it, in seconds since 1970: V8 stores a small number without an object. */
  seconds: number | undefined;
  precision: Entry["precision"];
  target?: string | undefined;
  /** MLSD's "unique" fact of a directory. */
  unique?: string | undefined;
}

export type EntryFilter = (entry: TreeEntry) => boolean;

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

export class TreeListing implements ListingFormatter {
  readonly entries: TreeEntry[] = [];
  failure: FtpullError | undefined;
  /** Reason why a listing without failure may lack names. */
  cut: string | undefined;
  /** Number of wanted and other entries that could be read. */
  count = 0;
  /** True if the listing has the directory itself, as "." or by MLSD's "cdir". */
  showsItself = false;
  /** MLSD's "unique" fact of the listed directory. */
  unique: string | undefined;
  readonly command: ListingCommand;
  readonly #isWanted: EntryFilter;

  constructor(command: ListingCommand, isWanted: EntryFilter) {
    this.command = command;
    this.#isWanted = isWanted;
  }

  entry(entry: Entry): string {
    const kept = treeEntry(entry);
    if (kept.type !== "unread") this.count++;
    if (this.#isWanted(kept)) this.entries.push(kept);
    return "";
  }

  skipped(line: string): void {
    const isMlsd = this.command === "MLSD";
    const isItself = (isMlsd ? /(?:^|;)type=cdir[; ]/i : / \.\/?$/).test(line);
    if (isItself && isMlsd) this.unique = /(?:^|;)unique=([^;]+);/i.exec(line)?.[1];
    this.showsItself ||= isItself;
  }
}

/** A literal with spread properties would take 24 octets more for each entry (V8). */
function treeEntry({ type, name, size, modified, precision, target, unique }: Entry): TreeEntry {
  const seconds = modified && modified.getTime() / 1000;
  const kept: TreeEntry = { type, name: copyOf(name), size, precision, seconds };
  if (type === "link" && target !== undefined) kept.target = copyOf(target);
  if (type === "directory" && unique) kept.unique = copyOf(unique);
  return kept;
}
