/** Where links of a tree lead, read as text, and the local links that take their place. */
import { dirname, join, posix, relative } from "node:path";
import { isWithin, namesIn } from "../../ftp/path-steps.ts";
import type { DocumentPlan } from "../../ftp/document-steps.ts";
import type { Directory, Wanted } from "./directory.ts";
import { whyUnfetchable } from "./entry-filter.ts";
import type { TreeEntry } from "./tree-listing.ts";

export type Kind = "file" | "directory";

export type Above = Directory | "above the top";

/** Names from the server's root, or from the tree's top: the compiler tells them apart. */
type FromRoot = readonly string[] & { readonly from?: "root" };
type FromTop = readonly string[] & { readonly from?: "top" };

/**
 * Local link in place of a link that leads into its tree. `target` is relative to the link's own directory;
 * `isInRun` has an answer for both kinds: the listings may not show the target's.
 */
export interface KeptLink {
  readonly target: string;
  readonly plan: DocumentPlan;
  readonly kind: Kind | undefined;
  readonly isInRun: Readonly<Record<Kind, boolean>>;
}

/** Undefined for a link that is followed: its target is unknown, outside the tree, or has no place here. */
export function keptLink(directory: Directory, { name, target }: TreeEntry): KeptLink | undefined {
  const names = targetNames(directory, target);
  const { path, cutDirs } = topOf(directory).place;
  if (names === undefined || names === "above the top") return undefined;
  // --cut-dirs leaves directories of the first levels without a folder: a link could lead to none.
  if (cutDirs > 0 && names.length <= cutDirs) return undefined;
  const isUnfetchable = names.some((each) => whyUnfetchable({ type: "file", name: each }));
  if (isUnfetchable) return undefined;
  const localNames = names.slice(cutDirs).map((each) => directory.localNameOf(each));
  const localTarget = relative(dirname(directory.localPathOf(name)), join(path, ...localNames));
  const way = posix.relative(`/${directory.names.join("/")}`, `/${names.join("/")}`);
  const plan = directory.planOf(way || ".", "retrieve-or-list");
  const type = typeAt(directory, names);
  return {
    target: localTarget || ".",
    // A file's time is only asked for where it decides whether the file is chosen.
    plan: { ...plan, asks: directory.options.selection.hasTimes ? undefined : "size" },
    kind: type === "file" || type === "directory" ? type : undefined,
    isInRun: isInRun(directory, names),
  };
}

/** A link is chosen by the rules for files and, where it leads to a directory, by those for directories, too. */
export function isLinkWanted({ isFile, isDirectory }: Wanted, kind: Kind): boolean {
  return isFile && (kind === "file" || isDirectory);
}

/** The directory above `directory` to which a link leads back, by the text of its target. */
export function targetAbove({ parent, place }: Directory): Above | undefined {
  const target = place.entry?.target ?? "";
  if (parent === undefined) return undefined;
  const names = targetNames(parent, target);
  if (names === undefined) return undefined;
  if (names !== "above the top") return directoryAt(parent, names);
  // The top's own name may be a link: a target that climbs above the top and descends again may lead elsewhere.
  return climbsOnly.test(target) ? "above the top" : undefined;
}

const climbsOnly = /^(?:\/|(?:\.\.?(?:\/|$))+)$/;

export function isAbove(path: FromRoot, top: FromRoot): boolean {
  return path.length < top.length && isWithin(top, path);
}

function isInRun(directory: Directory, names: FromTop): KeptLink["isInRun"] {
  const { decode, selection, pathname } = directory.options;
  const path = decode(names.join("/"));
  // A link on the way is made only if its own name is wanted; `selection.hasPath` and `reaches` judge directories.
  const isLinkAt = (index: number) => typeAt(directory, names.slice(0, index + 1)) === "link";
  const linksOnTheWay = names.slice(0, -1).filter((_name, index) => isLinkAt(index));
  const isReached = linksOnTheWay.every((name) => selection.hasFile(decode(name)));
  // "a/b/" is reached if "a" and "a/b" are; the top always is.
  const hasDirectories = path === "" || selection.reaches(`${path}/`, pathname);
  return {
    file: isReached && names.length <= selection.levels && selection.hasPath(path, pathname),
    // A directory on the last level isn't listed.
    directory: isReached && names.length < selection.levels && hasDirectories,
  };
}

/** The names of a target; undefined where it is unknown, or neither inside nor above the tree. */
function targetNames(directory: Directory, target?: string): FromTop | "above the top" | undefined {
  const belowTop = [directory, ...directory.above].filter(({ parent }) => parent !== undefined);
  const isBelowLink = belowTop.some(({ isAlias }) => isAlias);
  // A backslash parts the names of a Windows server's target.
  if (!target || target.includes("\\") || isBelowLink) return undefined;
  const top = namesOfTop(directory);
  const reached = target.startsWith("/") ? [] : [...top, ...directory.names];
  for (const name of namesIn(target)) {
    if (name !== "..") reached.push(name);
    else if (climbsStraight(directory, reached, top)) reached.pop();
    else return undefined;
  }
  if (isAbove(reached, top)) return "above the top";
  return isWithin(reached, top) ? reached.slice(top.length) : undefined;
}

/** The one name of a top whose pathname is unknown. No absolute target has it: only relative ones lead into the tree. */
const unknownName = "";

function namesOfTop(directory: Directory): FromRoot {
  const { cwds, pathname } = topOf(directory);
  if (pathname !== undefined) return namesIn(pathname);
  return cwds[0]?.startsWith("/") ? namesIn(cwds.join("/")) : [unknownName];
}

/** True if ".." leads from here to the directory above, and not, as behind a link, elsewhere. */
function climbsStraight(directory: Directory, here: FromRoot, top: FromRoot): boolean {
  // The names above the top are those of its pathname, which counts as free of links.
  if (isWithin(top, here)) return true;
  return isWithin(here, top) && typeAt(directory, here.slice(top.length)) === "directory";
}

function typeAt(directory: Directory, names: FromTop): TreeEntry["type"] | undefined {
  if (directoryAt(directory, names) !== undefined) return "directory";
  return directoryAt(directory, names.slice(0, -1))?.listing?.find(names.at(-1)!)?.type;
}

function directoryAt(directory: Directory, names: FromTop): Directory | undefined {
  const own = directory.names;
  if (!isWithin(own, names)) return undefined;
  return [directory, ...directory.above].at(own.length - names.length);
}

function topOf(directory: Directory): Directory {
  return directory.above.at(-1) ?? directory;
}
