/** Decides what becomes of an entry of a tree's listing, by its name and type, and of a link by its text too. */
import { join, relative } from "node:path";
import { whyReserved } from "../../files/names.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import { endsCommand } from "../../text/percent.ts";
import type { Directory } from "./tree.ts";
import { exactTime, type TreeEntry } from "./tree-listing.ts";

export type Fate =
  /** A pattern doesn't match the name; or options leave the entry out. */
  | { readonly kind: "unmatched" | "unwanted" }
  /** A line that can't be read, or a name that no file can have: a failure. */
  | { readonly kind: "unfetchable"; readonly why: string }
  | { readonly kind: "file" | "directory" }
  /** A link that is made here too, to `target` from its directory; or one that --links skip leaves out. */
  | { readonly kind: "local link"; readonly target: string }
  | { readonly kind: "skipped link" }
  /** Any other link, or a name without a type: the server is asked what it is. */
  | Asked;

interface Asked {
  readonly kind: "asked";
  readonly wanted: Wanted;
}

/** What an entry may turn out to be, for it to be fetched. */
export type Wanted = "file" | "directory" | "either";

export function fateOf(directory: Directory, entry: TreeEntry): Fate {
  const { type, name } = entry;
  if (type === "unread") {
    const why = `cannot read the line ${quoteName(name)} of the listing: something may be missing`;
    return { kind: "unfetchable", why };
  }
  if (!hasPatternsName(directory, entry)) return { kind: "unmatched" };
  const { decode, selection, pathname } = directory.options;
  const isInTime = type !== "file" || selection.hasTime(exactTime(entry));
  const mayBeFile = type !== "directory" && directory.wantsFiles && isInTime;
  const asFile = mayBeFile && selection.hasFile(decode(name));
  const asDirectory =
    type !== "file" && selection.hasDirectory(decode(directory.pathOf(name)), pathname);
  if (!asFile && !asDirectory) return { kind: "unwanted" };
  const why = whyUnfetchable(name);
  if (why !== undefined) return { kind: "unfetchable", why };
  if (type === "file" || type === "directory") return { kind: type };
  const wanted = asFile && asDirectory ? "either" : asFile ? "file" : "directory";
  const asked: Asked = { kind: "asked", wanted };
  return type === "link" ? fateOfLink(directory, entry, asked) : asked;
}

/** As in a shell, a leading dot has to be in the pattern and in the name. */
function hasPatternsName(directory: Directory, { type, name }: TreeEntry): boolean {
  const { pattern } = directory;
  if (pattern === undefined) return true;
  if (type === "file" && !directory.wantsFiles) return false;
  const dotsAgree = pattern.text.startsWith(".") === name.startsWith(".");
  return dotsAgree && pattern.matches(directory.options.decode(name));
}

function whyUnfetchable(name: string): string | undefined {
  if (name.includes("/") || endsCommand(name) || ["", ".", ".."].includes(name))
    return `the listing has the name ${quoteName(name)}, which no file can have`;
  const reserved = whyReserved(name);
  return reserved && `cannot save ${quoteName(name)}: ${reserved}`;
}

/** Links that lead out of the tree, and those that may not be kept, are fetched if they lead to a file. */
function fateOfLink(directory: Directory, { target }: TreeEntry, asked: Asked): Fate {
  const { links } = directory.options;
  if (links === "skip") return { kind: "skipped link" };
  if (links === "follow") return asked;
  const names = targetNames(directory, target);
  // What a directory in the tree has comes from its own place.
  if (links === "copy" && names === undefined) return asked;
  if (asked.wanted === "directory") return { kind: "unwanted" };
  const isKept = links === "keep" && names !== undefined && isFetched(directory, names);
  if (!isKept) return { kind: "asked", wanted: "file" };
  const localNames = names.map((name) => directory.localNameOf(name));
  const path = join(directory.options.path, ...localNames);
  return { kind: "local link", target: relative(directory.path, path) || "." };
}

/** The names from the tree's top to a target; undefined where leading ".." and names don't lead into the tree. */
function targetNames(directory: Directory, target = "") {
  const { names: own, above, isLink } = directory;
  const [, climbs = "", way = ""] = /^((?:\.\.?(?:\/+|$))*)(.*)$/s.exec(target) ?? [];
  const names = namesIn(way);
  const isBehindLink = isLink || above.some((one) => one.directory.isLink);
  // A backslash parts the names of a Windows server's target; ".." behind a name, which may be a link's, is unclear.
  const isUnclear = isBehindLink || /^\/|\\/.test(target) || names.includes("..");
  const levels = own.length - namesIn(climbs).length;
  return target === "" || isUnclear || levels < 0 ? undefined : [...own.slice(0, levels), ...names];
}

/** True if the run fetches what is at this path below the tree's top; ages could leave out any file. */
function isFetched({ options }: Directory, names: readonly string[]): boolean {
  const { decode, selection, pathname } = options;
  if (selection.hasTimes || names.length >= selection.levels) return false;
  if (names.some((name) => whyUnfetchable(name) !== undefined)) return false;
  const last = names.at(-1);
  if (last === undefined) return true;
  const isReached = selection.reaches(`${decode(names.join("/"))}/`, pathname);
  return isReached && selection.hasFile(decode(last));
}
