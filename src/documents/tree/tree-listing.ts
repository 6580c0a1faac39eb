/** A listing as a tree keeps it: its entries in memory, a million of them if there are as many. */
import type { FtpullError } from "../../errors.ts";
import type { Entry, Precision } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { parseTimeVal } from "../../text/time-val.ts";

export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  size: number | undefined;
  /** As the listing shows it, since 1970: a small number takes no room of its own. */
  seconds: number | undefined;
  /** "asked": the time is MDTM's beside the listed size, or the size SIZE's without a time. */
  precision: Precision | "asked";
  /** Set where the listing's permissions don't let everyone read it. */
  isUnreadable?: boolean;
}

/** Without MDTM's, the time that the listing shows. */
export function shownTime({ seconds }: TreeEntry): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** The time that can be compared with MDTM's. */
export function exactTime(entry: TreeEntry): Date | undefined {
  const isExact = entry.precision === "exact" || entry.precision === "asked";
  return isExact ? shownTime(entry) : undefined;
}

/** Or nothing at all: the task of an unread line is its failure. */
export function isFile({ type }: TreeEntry): boolean {
  return type === "file" || type === "unread";
}

/** Takes the entries of one listing, and keeps those that are wanted. */
export class TreeListing implements ListingFormatter {
  readonly entries: TreeEntry[] = [];
  /** Why it isn't whole. */
  failure: FtpullError | undefined;
  /** Why a whole listing may lack names, in words for the user. */
  cut: string | undefined;
  /** The number of all entries, wanted or not. */
  count = 0;
  readonly #command: ListingCommand | "LIST -a";
  readonly #isWanted: (entry: TreeEntry) => boolean;
  /** Entries that `LIST -a` may show again, wanted or not; undefined once "." is there. */
  #all: TreeEntry[] | undefined;
  /** Entries of the LIST with which this `LIST -a` is compared, and the index of the next one. */
  readonly #plain: readonly TreeEntry[] | undefined;
  #next = 0;
  /** Entries that the plain LIST lacks, or shows elsewhere. */
  readonly #others: TreeEntry[] = [];
  /** The line of the directory itself. */
  #self: string | undefined;

  constructor(
    command: ListingCommand | "LIST -a",
    isWanted: (entry: TreeEntry) => boolean,
    plain?: TreeListing,
  ) {
    this.#command = command;
    this.#isWanted = isWanted;
    this.#plain = plain && plain.#all;
    if (command === "LIST" || command === "NLST") this.#all = [];
  }

  entry(entry: Entry): string {
    this.count++;
    const again = this.#again(entry);
    const kept = again ?? treeEntry(entry);
    if (this.#plain !== undefined && again === undefined) this.#others.push(kept);
    this.#all?.push(kept);
    if (this.#isWanted(kept)) this.entries.push(kept);
    return "";
  }

  skipped(line: string): void {
    const isSelf = this.#command === "MLSD" ? /(?:^|;)type=cdir(?:;| )/i : / \.\/?$/;
    if (!isSelf.test(line)) return;
    this.#self = line;
    this.#all = undefined;
  }

  /** Whether not even the directory itself is among the names. */
  get isEmpty(): boolean {
    return this.count === 0 && this.#self === undefined;
  }

  /** Whether another command could show further names: where "." is shown, all are. */
  get mayHide(): boolean {
    if (this.failure !== undefined || this.#self !== undefined) return false;
    return this.#command === "LIST" || (this.#command === "NLST" && this.count === 0);
  }

  /** Whether all names of the plain LIST are here, and no unread line that it lacks. */
  get isSuperset(): boolean {
    const missing = new Set(this.#plain?.slice(this.#next).map(keyOf));
    const further = this.#others.filter((entry) => !missing.delete(keyOf(entry)));
    return missing.size === 0 && further.every(({ type }) => type !== "unread");
  }

  /** The directory's own time; only MLSD's is exact. */
  get modified(): Date | undefined {
    if (this.#command !== "MLSD") return undefined;
    return parseTimeVal(/(?:^|;)modify=([^;]+);/i.exec(this.#self ?? "")?.[1] ?? "");
  }

  /** The next entry of the plain LIST, if `entry` is the same: a million entries take no further memory. */
  #again({ name, type, size, modified }: Entry): TreeEntry | undefined {
    const next = this.#plain?.[this.#next];
    if (next === undefined || next.name !== name || next.type !== type) return undefined;
    if (next.size !== size || next.seconds !== secondsOf(modified)) return undefined;
    this.#next++;
    return next;
  }
}

function treeEntry({ type, name, size, precision, modified, permissions }: Entry): TreeEntry {
  return {
    type,
    name: copyOf(name),
    size,
    precision,
    seconds: secondsOf(modified),
    ...(permissions !== undefined && permissions[6] !== "r" && { isUnreadable: true }),
  };
}

function secondsOf(modified: Date | undefined): number | undefined {
  return modified && modified.getTime() / 1000;
}

/** No name ends in a slash. */
function keyOf({ type, name }: TreeEntry): string {
  return type === "unread" ? `${name}/` : name;
}

/** A part of a string keeps the whole of it in memory. */
function copyOf(octets: string): string {
  return Buffer.from(octets, "latin1").toString("latin1");
}
