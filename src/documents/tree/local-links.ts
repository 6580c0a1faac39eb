/** Where links lead, read as text alone: inside of their tree, straight above themselves, or somewhere else. */
import { join, relative } from "node:path";
import { namesIn } from "../../ftp/path-steps.ts";
import type { Directory } from "./directory.ts";
import { whyUnfetchable } from "./entry-filter.ts";
import type { TreeEntry } from "./tree-listing.ts";

/** What becomes of a link; `target` is that of the local link, relative to the link's directory. */
export type LinkFate = { readonly target: string } | "leads back" | "followed" | "left out";

/**
 * A link into its tree becomes a local link, if the run fetches what is there; one that is only wanted as a directory
 * is left out, since its files come from there. All others are followed, but for those to a directory above them.
 */
export function fateOf(directory: Directory, entry: TreeEntry, isFileWanted: boolean): LinkFate {
  const { tree, options, place } = directory;
  if (tree.links === "skip") return "left out";
  const names = targetNames(directory, entry.target);
  if (names === undefined) return "followed";
  if (tree.links === "keep" && names !== "above the top" && isReached(directory, names)) {
    if (!isFileWanted) return "left out";
    const last = names.at(-1);
    if (last === undefined || options.selection.hasFile(options.decode(last))) {
      const localNames = names
        .slice(topOf(directory).cutDirs)
        .map((name) => directory.localNameOf(name));
      const target = relative(place.path, join(topOf(directory).path, ...localNames));
      return { target: target || "." };
    }
  }
  // Patterns are for so many levels: no circle goes on.
  const isCircle = directory.patterns.length === 0 && isAbove(directory, names);
  return isCircle ? "leads back" : "followed";
}

/** True if -R, -X, -l and --cut-dirs have a place for such a path; ages could leave out any file. */
function isReached(directory: Directory, names: readonly string[]): boolean {
  const { decode, selection, pathname } = directory.options;
  const { cutDirs } = topOf(directory);
  if (selection.hasTimes || names.length >= selection.levels) return false;
  if (cutDirs > 0 && names.length <= cutDirs) return false;
  if (names.some((name) => whyUnfetchable({ type: "file", name }))) return false;
  return names.length === 0 || selection.reaches(`${decode(names.join("/"))}/`, pathname);
}

function topOf({ above, place }: Directory): Directory["place"] {
  return (above.at(-1) ?? { place }).place;
}

function isAbove({ names: own }: Directory, names: readonly string[] | "above the top"): boolean {
  return names === "above the top" || names.every((name, index) => name === own[index]);
}

/**
 * The names from the tree's top to a target; undefined where the text doesn't show them: it is absolute, it climbs
 * above the top and descends again, or ".." stands behind a name, which may be a link's.
 */
function targetNames({ names: own, isBehindLink }: Directory, target = "") {
  const [, climbs = "", way = ""] = /^((?:\.\.?(?:\/+|$))*)(.*)$/s.exec(target) ?? [];
  const names = namesIn(way);
  // A backslash parts the names of a Windows server's target.
  if (/^\/+$/.test(target)) return "above the top" as const;
  const isUnclear = isBehindLink || /^\/|\\/.test(target) || names.includes("..");
  if (target === "" || isUnclear) return undefined;
  const levels = own.length - namesIn(climbs).length;
  if (levels >= 0) return [...own.slice(0, levels), ...names];
  return names.length === 0 ? ("above the top" as const) : undefined;
}
