/** The listing of a directory in memory; a million entries have to fit. */
import type { FtpullError } from "../../errors.ts";
import type { Entry, Precision } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { parseTimeVal } from "../../text/time-val.ts";

export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  size: number | undefined;
  /** Time as the listing shows it, in seconds since 1970: V8 stores a small number without an object. */
  seconds: number | undefined;
  /** "time asked": the time is from MDTM, the size is listed; "size asked": the size is from SIZE, without a time. */
  precision: Precision | "time asked" | "size asked";
  /** True if the listed permissions don't let everyone read the file. */
  isUnreadable?: boolean;
  target?: string;
  unique?: string;
}

export type EntryFilter = (entry: TreeEntry) => boolean;

export function shownTime({ seconds }: TreeEntry): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

export function exactTime(entry: TreeEntry): Date | undefined {
  const isExact = entry.precision === "exact" || entry.precision === "time asked";
  return isExact ? shownTime(entry) : undefined;
}

/** True also for an unread line, whose task is to report it. */
export function isFile({ type }: TreeEntry): boolean {
  return type === "file" || type === "unread";
}

export class TreeListing implements ListingFormatter {
  readonly command: ListingCommand | "LIST -a";
  readonly entries: TreeEntry[] = [];
  failure: FtpullError | undefined;
  /** Reason why a listing without failure may lack names; `hidesDots`: only those with a leading dot. */
  cut: string | undefined;
  hidesDots = false;
  count = 0; // of wanted and other entries
  /** True if MLSD shows a link without its target, or one directory by two names: LIST may show where links lead. */
  lacksTargets = false;
  readonly #isWanted: EntryFilter;
  #byName: ReadonlyMap<string, TreeEntry> | undefined;
  /** Wanted and other entries, to be compared with `LIST -a`; undefined once "." shows that nothing is hidden. */
  #all: TreeEntry[] | undefined;
  readonly #comparison: Comparison | undefined;
  #ownLine: string | undefined;
  readonly #uniques = new Set<string>();

  constructor(command: ListingCommand | "LIST -a", isWanted: EntryFilter, plain?: TreeListing) {
    this.command = command;
    this.#isWanted = isWanted;
    const others = plain && plain.#all;
    if (others !== undefined) this.#comparison = new Comparison(others);
    if (command === "LIST" || command === "NLST") this.#all = [];
  }

  entry(entry: Entry): string {
    this.count++;
    const kept = this.#comparison?.take(entry) ?? treeEntry(entry);
    this.#all?.push(kept);
    this.#noteTargets(kept);
    if (this.#isWanted(kept)) this.entries.push(kept);
    return "";
  }

  skipped(line: string): void {
    const isSelf = this.command === "MLSD" ? /(?:^|;)type=cdir(?:;| )/i : / \.\/?$/;
    if (!isSelf.test(line)) return;
    this.#ownLine = line;
    this.#all = undefined;
  }

  find(name: string): TreeEntry | undefined {
    this.#byName ??= new Map(this.entries.map((entry) => [entry.name, entry]));
    return this.#byName.get(name);
  }

  takeLinks(other: TreeListing): void {
    for (const entry of this.entries) {
      const mayBeLink = entry.type === "directory" || (entry.type === "link" && !entry.target);
      const link = mayBeLink ? other.find(entry.name) : undefined;
      if (link?.type === "link" && link.target !== undefined)
        Object.assign(entry, { type: "link", target: link.target });
    }
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.#ownLine === undefined;
  }

  get showsItself(): boolean {
    return this.#ownLine !== undefined;
  }

  /** True if `LIST -a` could show further names; a listing with "." has all. */
  get mayHide(): boolean {
    if (this.failure !== undefined || this.#ownLine !== undefined) return false;
    return this.command === "LIST" || (this.command === "NLST" && this.count === 0);
  }

  get isSuperset(): boolean {
    return this.#comparison === undefined || this.#comparison.isSuperset;
  }

  /** The directory's own time, from MLSD: only that is exact. */
  get modified(): Date | undefined {
    if (this.command !== "MLSD") return undefined;
    const fact = /(?:^|;)modify=([^;]+);/i.exec(this.#ownLine ?? "")?.[1];
    return fact === undefined ? undefined : parseTimeVal(fact);
  }

  #noteTargets({ type, target, unique }: TreeEntry): void {
    if (this.command === "MLSD" && type === "link" && !target) this.lacksTargets = true;
    if (unique === undefined) return;
    if (this.#uniques.has(unique)) this.lacksTargets = true;
    this.#uniques.add(unique);
  }
}

/** Compares the entries of `LIST -a` with those of LIST, which mostly come in the same order. */
class Comparison {
  readonly #plain: readonly TreeEntry[];
  #sharedCount = 0;
  readonly #others: TreeEntry[] = [];

  constructor(plain: readonly TreeEntry[]) {
    this.#plain = plain;
  }

  /** The next entry of LIST if `entry` is the same, since sharing it saves memory; else a new one. */
  take(entry: Entry): TreeEntry {
    const next = this.#plain[this.#sharedCount];
    if (next !== undefined && isSame(next, entry)) {
      this.#sharedCount++;
      return next;
    }
    const other = treeEntry(entry);
    this.#others.push(other);
    return other;
  }

  get isSuperset(): boolean {
    const missing = new Set(this.#plain.slice(this.#sharedCount).map(keyOf));
    const further = this.#others.filter((entry) => !missing.delete(keyOf(entry)));
    return missing.size === 0 && further.every(({ type }) => type !== "unread");
  }
}

function isSame(kept: TreeEntry, { name, type, size, modified }: Entry): boolean {
  if (kept.name !== name || kept.type !== type) return false;
  return kept.size === size && kept.seconds === secondsOf(modified);
}

/** A literal with spread properties would take 24 octets more for each entry (V8). */
function treeEntry(entry: Entry): TreeEntry {
  const { type, size, precision, permissions, target, unique } = entry;
  const name = copyOf(entry.name);
  const seconds = secondsOf(entry.modified);
  const kept: TreeEntry = { type, name, size, precision, seconds };
  if (permissions !== undefined && permissions[6] !== "r") kept.isUnreadable = true;
  if (type === "link" && target !== undefined) kept.target = copyOf(target);
  if (type === "directory" && unique !== undefined) kept.unique = copyOf(unique);
  return kept;
}

function secondsOf(modified: Date | undefined): number | undefined {
  return modified && modified.getTime() / 1000;
}

/** Unread lines get a final slash, which no name has. */
function keyOf({ type, name }: TreeEntry): string {
  return type === "unread" ? `${name}/` : name;
}

/** A slice would keep the whole listing in memory (V8). */
function copyOf(octets: string): string {
  return Buffer.from(octets, "latin1").toString("latin1");
}
