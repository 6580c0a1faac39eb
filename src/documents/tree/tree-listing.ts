/** A listing as a tree keeps it: its entries in memory, a million of them if there are as many. */
import type { FtpullError } from "../../errors.ts";
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Entry, Precision } from "../../listing/entry.ts";
import type { ListingFormatter } from "../../listing/format.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { parseTimeVal } from "../../text/time-val.ts";
import type { Plan } from "../../url/plan.ts";

export interface TreeEntry extends Pick<Entry, "type" | "name" | "size"> {
  /** As the listing shows it, since 1970: a small number takes no room of its own. */
  seconds: number | undefined;
  precision: Precision;
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

/** What a listing says in place of SIZE and MDTM; undefined unless all is known. */
export function factsFor(
  { type }: Plan,
  size: number | undefined,
  modified: Date | undefined,
): FileFacts | undefined {
  // As many octets are transferred as the file has in image type only.
  const counted = type === "I" ? size : undefined;
  if (modified === undefined || (type === "I" && size === undefined)) return undefined;
  return { size: counted, modified };
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
  /** All names of LIST or NLST, unless "." is there; those of unread lines end in "/". */
  #names: Set<string> | undefined;
  /** The names of LIST that `LIST -a` hasn't shown yet. */
  readonly #missing: Set<string> | undefined;
  #hasStrangeLine = false;
  /** The line of the directory itself. */
  #self: string | undefined;

  /** `plain` is the LIST with which this one is compared; its names are used up. */
  constructor(
    command: ListingCommand,
    isWanted: (entry: TreeEntry) => boolean,
    plain?: TreeListing,
  ) {
    this.#command = command;
    this.#isWanted = isWanted;
    this.#missing = plain === undefined ? undefined : plain.#names;
    if (command !== "MLSD" && plain === undefined) this.#names = new Set();
  }

  entry({ type, name, size, modified, precision }: Entry): string {
    this.count++;
    const key = type === "unread" ? `${name}/` : name;
    this.#names?.add(key);
    if (this.#missing?.delete(key) === false && type === "unread") this.#hasStrangeLine = true;
    const kept = { type, name, size, precision, seconds: modified && modified.getTime() / 1000 };
    if (!this.#isWanted(kept)) return "";
    kept.name = copyOf(name);
    this.entries.push(kept);
    return "";
  }

  skipped(line: string): void {
    const isSelf = this.#command === "MLSD" ? /(?:^|;)type=cdir(?:;| )/i : / \.\/?$/;
    if (!isSelf.test(line)) return;
    this.#self = line;
    this.#names = undefined;
  }

  /** Whether "." is among the names: then those with a leading dot are, too. */
  get showsSelf(): boolean {
    return this.#self !== undefined;
  }

  /** Whether another command could show further names. */
  get mayHide(): boolean {
    if (this.failure !== undefined || this.showsSelf || this.#command === "MLSD") return false;
    return this.#command === "LIST" || this.count === 0;
  }

  /** Whether it has all names of the LIST that it is compared with, and no unread line that that lacks. */
  get isSuperset(): boolean {
    return this.#missing?.size === 0 && !this.#hasStrangeLine;
  }

  /** The directory's own time; only MLSD's is exact. */
  get modified(): Date | undefined {
    if (this.#command !== "MLSD") return undefined;
    return parseTimeVal(/(?:^|;)modify=([^;]+);/i.exec(this.#self ?? "")?.[1] ?? "");
  }
}

/** A part of a string keeps the whole of it in memory. */
function copyOf(octets: string): string {
  return Buffer.from(octets, "latin1").toString("latin1");
}
