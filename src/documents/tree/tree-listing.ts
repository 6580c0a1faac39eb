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
  readonly itself: Entry | undefined;
  /** The failure that ended the listing: the entries before it are fetched all the same. */
  readonly failure?: FtpullError;
  /** Reason why a listing without failure may lack names. */
  readonly cut?: string;
}

/** An entry, with exact facts in place of the listing's once the server was asked for them, and its fate by these. */
export interface TreeEntry extends Pick<Entry, "type" | "name"> {
  fate: Fate;
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
  const kept: TreeEntry = { type, name: copyOf(name), size, precision, seconds, fate };
  if (type === "link" && target !== undefined) kept.target = copyOf(target);
  if (type === "directory" && unique) kept.unique = copyOf(unique);
  return kept;
}
