/** The listing of a tree's directory as a value; a million entries have to fit in memory. */
import type { FtpullError } from "../../errors.ts";
import type { Entry } from "../../listing/entry.ts";
import type { ListingCommand } from "../../listing/parse-listing.ts";
import { copyOf } from "../../text/percent.ts";

export interface TreeListing {
  readonly command: ListingCommand;
  /** The wanted entries. */
  readonly entries: EntryList;
  /** Number of wanted and other entries that could be read. */
  readonly count: number;
  /** The directory's own entry, if the listing shows it. */
  readonly itself: Entry | undefined;
  /** The failure that ended the listing: the entries before it are fetched all the same. */
  readonly failure?: FtpullError;
  /** Reason why a listing without failure may lack names. */
  readonly cut?: string;
}

const pageLength = 1000;

/** The entries in pages: an array that grows is copied again and again, and its copies stay in memory for long (V8). */
export class EntryList {
  #pages: TreeEntry[][] = [];

  add(entry: TreeEntry): void {
    const last = this.#pages.at(-1);
    if (last !== undefined && last.length < pageLength) last.push(entry);
    else this.#pages.push([entry]);
  }

  filter(isWanted: (entry: TreeEntry) => boolean): TreeEntry[] {
    return this.#pages.flatMap((page) => page.filter(isWanted));
  }

  sortByName(): void {
    this.#pages = [[...this].sort((one, other) => (one.name < other.name ? -1 : 1))];
  }

  *[Symbol.iterator](): Iterator<TreeEntry> {
    for (const page of this.#pages) for (const entry of page) yield entry;
  }
}

/** An entry, with exact facts in place of the listing's once the server was asked for them, and its fate by these. */
export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  /** `knownFate` tells it: that of most files and directories is their type, and isn't kept. */
  fate?: Fate;
  size: number | undefined;
  /** Time as the listing shows it, in seconds since 1970: V8 stores a small number without an object. */
  seconds: number | undefined;
  precision: Entry["precision"];
  target?: string;
  unique?: string;
}

/** What becomes of an entry, as `fateOf` decides it. */
export type Fate =
  /** A pattern doesn't match the name, or options leave the entry out. */
  | { readonly kind: "unwanted" }
  /** A line that can't be read, or a name that no file can have: a failure. */
  | { readonly kind: "unfetchable"; readonly why: string }
  | { readonly kind: "file" | "directory" }
  /** A link that is made here too, to `target` from its directory; or one that --links skip leaves out. */
  | { readonly kind: "local link"; readonly target: string }
  | { readonly kind: "skipped link" }
  /** Any other link, or a name without a type: the server is asked what it is. */
  | { readonly kind: "asked"; readonly wanted: Wanted };

/** Fates of many entries are one object, for a million entries to fit in memory. */
export const fileFate = { kind: "file" } as const;
export const directoryFate = { kind: "directory" } as const;

export function knownFate({ type, fate }: TreeEntry): Fate {
  return fate ?? (type === "directory" ? directoryFate : fileFate);
}

/** What an entry may turn out to be, for it to be fetched. */
export type Wanted = "file" | "directory" | "either";

export function shownTime({ seconds }: TreeEntry): Date | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000);
}

/** True for files, and for an unread line, which is reported with them; links may be of directories. */
export function comesFirst({ type }: TreeEntry): boolean {
  return type === "file" || type === "unread";
}

/** A literal with spread properties would take 24 octets more for each entry (V8). */
export function treeEntry(entry: Entry, fate: Fate): TreeEntry {
  const { type, name, size, modified, precision, target, unique } = entry;
  const seconds = modified && modified.getTime() / 1000;
  const kept: TreeEntry = { type, name: copyOf(name), size, precision, seconds };
  if (fate.kind !== type) kept.fate = fate;
  if (type === "link" && target !== undefined) kept.target = copyOf(target);
  if (type === "directory" && unique) kept.unique = copyOf(unique);
  return kept;
}
