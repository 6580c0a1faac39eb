/** Decides what becomes of an entry of a tree's listing, by its name and type, and of a link by its text too. */
import { join, relative } from "node:path";
import { whyReserved } from "../../files/names.ts";
import { quoteName } from "../../ftp/control/reply.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import type { Entry } from "../../listing/entry.ts";
import { endsCommand } from "../../text/percent.ts";
import type { Directory } from "./tree.ts";
import { directoryFate, type Fate, fileFate, type Wanted } from "./tree-listing.ts";

/** What a fate depends on: the name, the type, a link's text and, of a file, an exact time. */
type Known = Pick<Entry, "type" | "name" | "target" | "precision" | "modified">;

export function fateOf(directory: Directory, entry: Known): Fate {
  const { type, name, precision, modified } = entry;
  if (type === "unread") {
    const why = `cannot read the line ${quoteName(name)} of the listing: something may be missing`;
    return { kind: "unfetchable", why };
  }
  if (!matchesPattern(directory, entry)) return unwanted;
  const { decode, selection, pathname } = directory.options;
  const isTimed = type === "file" && precision === "exact";
  const isInTime = !isTimed || selection.hasTime(modified);
  const mayBeFile = type !== "directory" && directory.wantsFiles && isInTime;
  const asFile = mayBeFile && selection.hasFile(decode(name));
  const asDirectory =
    type !== "file" && selection.hasDirectory(decode(directory.pathOf(name)), pathname);
  if (!asFile && !asDirectory) return unwanted;
  const why = whyUnfetchable(directory, name);
  if (why !== undefined) return { kind: "unfetchable", why };
  if (type === "file") return fileFate;
  if (type === "directory") return directoryFate;
  const wanted = asFile && asDirectory ? "either" : asFile ? "file" : "directory";
  return type === "link" ? fateOfLink(directory, entry, wanted) : { kind: "asked", wanted };
}

const unwanted = { kind: "unwanted" } as const;

/** As in a shell, a leading dot has to be in the pattern and in the name. */
export function matchesPattern(directory: Directory, { type, name }: Known): boolean {
  const { pattern } = directory;
  if (pattern === undefined || type === "unread") return true;
  if (type === "file" && !directory.wantsFiles) return false;
  const dotsAgree = pattern.text.startsWith(".") === name.startsWith(".");
  return dotsAgree && pattern.matches(directory.options.decode(name));
}

function whyUnfetchable({ options }: Directory, name: string): string | undefined {
  if (name.includes("/") || endsCommand(name) || ["", ".", ".."].includes(name))
    return `the listing has the name ${quoteName(name)}, which no file can have`;
  const reserved = options.inventory === undefined ? whyReserved(name) : undefined;
  return reserved && `cannot save ${quoteName(name)}: ${reserved}`;
}

/** Links that lead out of the tree, and those that may not be kept, are fetched if they lead to a file. */
function fateOfLink(directory: Directory, { target }: Known, wanted: Wanted): Fate {
  const { links } = directory.options;
  const asked = { kind: "asked", wanted } as const;
  if (links === "skip") return { kind: "skipped link" };
  if (links === "follow") return asked;
  const names = targetNames(directory, target);
  // What a directory in the tree has comes from its own place.
  if (links === "copy" && names === undefined) return asked;
  if (wanted === "directory") return unwanted;
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
function isFetched(directory: Directory, names: readonly string[]): boolean {
  const { decode, selection, pathname } = directory.options;
  if (selection.hasTimes || names.length >= selection.levels) return false;
  if (names.some((name) => whyUnfetchable(directory, name) !== undefined)) return false;
  const last = names.at(-1);
  if (last === undefined) return true;
  const isReached = selection.reaches(`${decode(names.join("/"))}/`, pathname);
  return isReached && selection.hasFile(decode(last));
}
