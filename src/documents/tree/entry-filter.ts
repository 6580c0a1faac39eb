/** Decides which entries of a directory are wanted, and which can't be fetched. */
import { whyReserved } from "../../files/names.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import type { Entry } from "../../listing/entry.ts";
import { endsCommand } from "../../text/percent.ts";
import type { Directory } from "./tree.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

/** A link may turn out to be a file or a directory: each may be wanted without the other. */
export interface Wanted {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

export function isKept(directory: Directory, entry: TreeEntry): boolean {
  if (wantedAs(directory, entry) === undefined) return false;
  if (entry.type !== "file") return true;
  const { checksums, selection } = directory.options;
  // A list of checksums also names files that their times leave out: they must not count as missing.
  return checksums.hasList || selection.hasTime(exactTime(entry));
}

export function wantedAs(directory: Directory, entry: TreeEntry): Wanted | undefined {
  const { type, name } = entry;
  if (type === "unread") return { isFile: true, isDirectory: false };
  if (!isMatched(directory, entry)) return undefined;
  const { decode, selection, pathname } = directory.options;
  const mayBeFile = type !== "directory" && directory.wantsFiles;
  const isFile = mayBeFile && selection.hasFile(decode(name));
  const isDirectory =
    type !== "file" && selection.hasDirectory(decode(directory.pathOf(name)), pathname);
  return isFile || isDirectory ? { isFile, isDirectory } : undefined;
}

/** As in a shell, a leading dot has to be in the pattern and in the name. */
export function isMatched(directory: Directory, { type, name }: TreeEntry): boolean {
  const [pattern] = directory.patterns;
  if (pattern === undefined) return true;
  if (type === "unread" || (type === "file" && !directory.wantsFiles)) return false;
  const dotsAgree = pattern.text.startsWith(".") === name.startsWith(".");
  return dotsAgree && pattern.matches(directory.options.decode(name));
}

/** Entries in the order of the listing or, where they match a pattern, in that of a shell: by name. */
export function inTurn(
  { patterns }: Directory,
  listed: readonly TreeEntry[],
): readonly TreeEntry[] {
  return patterns.length === 0 ? listed : listed.toSorted(byName);
}

function byName(one: TreeEntry, other: TreeEntry): number {
  return one.name < other.name ? -1 : 1;
}

export function whyUnfetchable({ type, name }: Pick<Entry, "type" | "name">): string | undefined {
  if (type === "unread")
    return `cannot read the line ${quoteName(name)} of the listing: something may be missing`;
  if (name.includes("/") || endsCommand(name) || ["", ".", ".."].includes(name))
    return `the listing has the name ${quoteName(name)}, which no file can have`;
  const reserved = whyReserved(name);
  return reserved && `cannot save ${quoteName(name)}: ${reserved}`;
}
