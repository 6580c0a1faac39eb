/** Where links of a tree lead, read as text, and the local links that take their place. */
import { dirname, join, posix, relative } from "node:path";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Directory } from "./directory.ts";
import { whyUnfetchable } from "./entry-filter.ts";
import type { TreeEntry } from "./tree-listing.ts";

export type Kind = "file" | "directory";

export interface KeptLink {
  /** Local target, relative to the link's own directory; `plan` is for the server's. */
  readonly target: string;
  readonly plan: DocumentPlan;
  readonly type: TreeEntry["type"] | undefined;
  /** True for each kind of target that is in the run, as far as names and levels tell. */
  readonly isInRun: Readonly<Record<Kind, boolean>>;
}

/** Undefined for a link that is followed: its target is unknown, outside the tree, or has no place here. */
export function keptLink(directory: Directory, { name, target }: TreeEntry): KeptLink | undefined {
  const names = targetNames(directory, target);
  const { path, cutDirs } = topOf(directory).place;
  if (names === undefined || names === "above the top") return undefined;
  // A directory that is cut has no folder of its own.
  if (cutDirs > 0 && names.length <= cutDirs) return undefined;
  if (names.some((each) => whyUnfetchable({ type: "file", name: each }))) return undefined;
  const here = names.slice(cutDirs).map((each) => directory.localNameOf(each));
  const [own, there] = [directory.names, names].map((each) => `/${each.join("/")}`);
  const plan = directory.planOf(posix.relative(own!, there!) || ".", "retrieve-or-list");
  return {
    target: relative(dirname(directory.localPathOf(name)), join(path, ...here)) || ".",
    plan: { ...plan, asks: directory.options.selection.hasTimes ? undefined : "size" },
    type: typeAt(directory, names),
    isInRun: isInRun(directory, names),
  };
}

export function targetAbove({ parent, place }: Directory): Directory | "above the top" | undefined {
  const target = place.entry?.target ?? "";
  const names = parent && targetNames(parent, target);
  if (parent === undefined || names === undefined) return undefined;
  // If the top's name is a link, another way than straight up may lead elsewhere.
  if (names === "above the top") return climbs.test(target) ? names : undefined;
  return directoryAt(parent, names);
}

/** Targets that lead to the root, or only upwards. */
const climbs = /^(?:\/|(?:\.\.?(?:\/|$))+)$/;

export function isAbove(path: readonly string[], top: readonly string[]): boolean {
  return path.length < top.length && isWithin(top, path);
}

function isInRun(directory: Directory, names: readonly string[]): KeptLink["isInRun"] {
  const { decode, selection, pathname } = directory.options;
  const path = decode(names.join("/"));
  // A link on the way is made only if its own name is wanted.
  const isReached = names.slice(0, -1).every((name, index) => {
    const isLink = typeAt(directory, names.slice(0, index + 1)) === "link";
    return !isLink || selection.hasFile(decode(name));
  });
  const hasDirectories = path === "" || selection.reaches(`${path}/`, pathname);
  return {
    file: isReached && names.length <= selection.levels && selection.hasPath(path, pathname),
    directory: isReached && names.length < selection.levels && hasDirectories,
  };
}

/** The names from the tree's top to a target; undefined where it is unknown, or neither inside nor above the tree. */
function targetNames(
  directory: Directory,
  target?: string,
): readonly string[] | "above the top" | undefined {
  const isBelowLink = [directory, ...directory.above].some((one) => one.parent && one.isAlias);
  // A backslash parts the names of a Windows server's target.
  if (!target || target.includes("\\") || isBelowLink) return undefined;
  const { cwds, pathname = cwds[0]?.startsWith("/") ? cwds.join("/") : undefined } =
    topOf(directory);
  // Where the top's pathname is unknown, nothing outside leads back.
  const top = pathname === undefined ? [""] : namesIn(pathname);
  const at = target.startsWith("/") ? [] : [...top, ...directory.names];
  for (const name of namesIn(target)) {
    const type = isWithin(at, top) ? typeAt(directory, at.slice(top.length)) : undefined;
    if (name !== "..") at.push(name);
    // Behind a link, ".." leads elsewhere.
    else if (type === "directory" || isWithin(top, at)) at.pop();
    else return undefined;
  }
  if (isAbove(at, top)) return "above the top";
  return isWithin(at, top) ? at.slice(top.length) : undefined;
}

function typeAt(directory: Directory, names: readonly string[]): TreeEntry["type"] | undefined {
  if (directoryAt(directory, names) !== undefined) return "directory";
  return directoryAt(directory, names.slice(0, -1))?.listing?.find(names.at(-1)!)?.type;
}

/** The directory with these names, if it is `directory` or above that. */
function directoryAt(directory: Directory, names: readonly string[]): Directory | undefined {
  const own = directory.names;
  if (!isWithin(own, names)) return undefined;
  return [directory, ...directory.above].at(own.length - names.length);
}

function topOf(directory: Directory): Directory {
  return directory.above.at(-1) ?? directory;
}
