/** A listing as a tree keeps it: its entries in memory, a million of them if there are as many. */
import type { FtpullError } from "../../errors.ts";
import type { Entry, Precision } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { parseTimeVal } from "../../text/time-val.ts";

export interface TreeEntry extends Pick<Entry, "type" | "name" | "size"> {
  /** As the listing shows it, since 1970: a small number takes no room of its own. */
  seconds: number | undefined;
  precision: Precision;
  /** Set where the listing's permissions don't let everyone read it. */
  isUnreadable?: boolean;
}

/** Without MDTM's, the time that the listing shows. */
export function shownTime({ seconds }: TreeEntry): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** The time that can be compared with MDTM's. */
export function exactTime(entry: TreeEntry): Date | undefined {
  return entry.precision === "exact" ? shownTime(entry) : undefined;
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
  /** The number of all entries, wanted or not. */
  count = 0;
  readonly #command: ListingCommand;
  readonly #isWanted: (entry: TreeEntry) => boolean;
  /** Entries that aren't wanted; not kept once "." is there. */
  #leftOut: TreeEntry[] | undefined;
  /** Entries of the plain LIST with which this listing is compared. */
  readonly #plain: readonly Expected[] | undefined;
  /** Entries that the plain LIST lacks, or shows elsewhere. */
  readonly #others: TreeEntry[] = [];
  /** The line of the directory itself. */
  #self: string | undefined;

  /** `plain` is the LIST with which this one is compared. */
  constructor(
    command: ListingCommand,
    isWanted: (entry: TreeEntry) => boolean,
    plain?: TreeListing,
  ) {
    this.#command = command;
    this.#isWanted = isWanted;
    if (plain !== undefined) {
      const { entries } = this;
      this.#plain = [new Expected(plain.entries, entries), new Expected(plain.#leftOut ?? [], [])];
    } else if (command !== "MLSD") this.#leftOut = [];
  }

  entry(entry: Entry): string {
    this.count++;
    if (this.#plain?.some((expected) => expected.take(entry))) return "";
    const { type, name, size, precision } = entry;
    const { permissions } = entry;
    const kept: TreeEntry = {
      type,
      name: copyOf(name),
      size,
      precision,
      seconds: secondsOf(entry),
      ...(permissions !== undefined && permissions[6] !== "r" && { isUnreadable: true }),
    };
    if (this.#plain !== undefined) this.#others.push(kept);
    (this.#isWanted(kept) ? this.entries : this.#leftOut)?.push(kept);
    return "";
  }

  skipped(line: string): void {
    const isSelf = this.#command === "MLSD" ? /(?:^|;)type=cdir(?:;| )/i : / \.\/?$/;
    if (!isSelf.test(line)) return;
    this.#self = line;
    this.#leftOut = undefined;
  }

  /** Whether "." is among the names: then those with a leading dot are, too. */
  get showsSelf(): boolean {
    return this.#self !== undefined;
  }

  /** Whether not even the directory itself is among the names. */
  get isEmpty(): boolean {
    return this.count === 0 && !this.showsSelf;
  }

  /** Whether another command could show further names. */
  get mayHide(): boolean {
    if (this.failure !== undefined || this.showsSelf || this.#command === "MLSD") return false;
    return this.#command === "LIST" || this.count === 0;
  }

  /** Whether all names of the plain LIST are here, and no unread line that it lacks. */
  get isSuperset(): boolean {
    const missing = new Set(this.#plain?.flatMap(({ rest }) => rest.map(keyOf)));
    const further = this.#others.filter((entry) => !missing.delete(keyOf(entry)));
    return missing.size === 0 && further.every(({ type }) => type !== "unread");
  }

  /** The directory's own time; only MLSD's is exact. */
  get modified(): Date | undefined {
    if (this.#command !== "MLSD") return undefined;
    return parseTimeVal(/(?:^|;)modify=([^;]+);/i.exec(this.#self ?? "")?.[1] ?? "");
  }
}

/** Entries of LIST, which `LIST -a` most often shows again in the same order. */
class Expected {
  readonly #entries: readonly TreeEntry[];
  readonly #shown: TreeEntry[];
  #next = 0;

  /** Entries that were shown again go to `shown`. */
  constructor(entries: readonly TreeEntry[], shown: TreeEntry[]) {
    this.#entries = entries;
    this.#shown = shown;
  }

  /** Takes `entry` if it is the next one again: a million entries take no further memory. */
  take(entry: Entry): boolean {
    const next = this.#entries[this.#next];
    if (next?.name !== entry.name || next.type !== entry.type) return false;
    if (next.size !== entry.size || next.seconds !== secondsOf(entry)) return false;
    this.#next++;
    this.#shown.push(next);
    return true;
  }

  get rest(): readonly TreeEntry[] {
    return this.#entries.slice(this.#next);
  }
}

function secondsOf({ modified }: Entry): number | undefined {
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
