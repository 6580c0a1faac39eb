/** Where links lead, read as text alone, and what becomes of them; local links are made. */
import { join, relative } from "node:path";
import { isTaken } from "../../files/regular-file.ts";
import { makeLink } from "../../files/tree-link.ts";
import { namesIn } from "../../ftp/path-steps.ts";
import type { Result } from "../result.ts";
import { whyUnfetchable } from "./entry-filter.ts";
import type { Directory, Tree } from "./tree.ts";
import type { TreeEntry } from "./tree-listing.ts";

/**
 * What becomes of a link: a local one, whose `target` is relative to its directory; a copy of a file, while what is no
 * file is left out; or a copy of whatever it leads to.
 */
export type LinkFate = { readonly target: string } | "file" | "followed" | "skipped";

export function fateOf(directory: Directory, { target }: TreeEntry): LinkFate {
  const { links } = directory.options;
  if (links === "skip") return "skipped";
  if (links === "follow") return "followed";
  const names = targetNames(directory, target);
  // What a directory in the tree has comes from its own place.
  if (links === "copy") return names === undefined ? "followed" : "file";
  if (names === undefined || !isFetched(directory, names)) return "file";
  const { place, above } = directory;
  const top = (above.at(-1) ?? directory).place.path;
  const localNames = names.map((name) => directory.localNameOf(name));
  return { target: relative(place.path, join(top, ...localNames)) || "." };
}

/** True if the run fetches what is at this path below the tree's top; ages could leave out any file. */
function isFetched({ options }: Directory, names: readonly string[]): boolean {
  const { decode, selection, pathname } = options;
  if (selection.hasTimes || names.length >= selection.levels) return false;
  if (names.some((name) => whyUnfetchable({ type: "file", name }))) return false;
  const last = names.at(-1);
  if (last === undefined) return true;
  const isReached = selection.reaches(`${decode(names.join("/"))}/`, pathname);
  return isReached && selection.hasFile(decode(last));
}

/** The names from the tree's top to a target; undefined where leading ".." and names don't lead into the tree. */
function targetNames(directory: Directory, target = "") {
  const { names: own, above } = directory;
  const [, climbs = "", way = ""] = /^((?:\.\.?(?:\/+|$))*)(.*)$/s.exec(target) ?? [];
  const names = namesIn(way);
  // A backslash parts the names of a Windows server's target; ".." behind a name, which may be a link's, is unclear.
  const isBehindLink = [directory, ...above].some(({ isLink }) => isLink);
  const isUnclear = isBehindLink || /^\/|\\/.test(target) || names.includes("..");
  const levels = own.length - namesIn(climbs).length;
  return target === "" || isUnclear || levels < 0 ? undefined : [...own.slice(0, levels), ...names];
}

/** Makes the local link in place of a link that leads into its tree. @throws FtpullError "file" */
export function makeLocalLink(tree: Tree, path: string, url: string, target: string): Result {
  const { rules } = tree.options;
  const made = { url, exit: 0, octets: 0, file: path, link: target, inTree: true } as const;
  const kept = { ...made, status: "skipped" } as const;
  if (rules.existing.stays === "always" && isTaken(path))
    return { ...kept, reason: "exists", explanation: `"${path}" is there already` };
  const isNew = makeLink({ path, target, url, top: rules.top, own: rules.own });
  tree.localLinks.set(url, path);
  if (isNew) return { ...made, status: "done" };
  return { ...kept, reason: "unchanged", explanation: `"${path}" is unchanged` };
}
