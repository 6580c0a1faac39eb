/** The directories and symbolic links that a tree makes here. */
import { utimesSync } from "node:fs";
import { ifPossible } from "../../files/file-error.ts";
import { checkInside, checkNoLinks } from "../../files/links.ts";
import { makeFolder } from "../../files/private-file.ts";
import { found, isTaken } from "../../files/regular-file.ts";
import { makeLink, removeTreeLink } from "../../files/tree-link.ts";
import type { FileRules } from "../file/download.ts";
import type { Result } from "../result.ts";
import type { Directory, Tree } from "./tree.ts";
import { shownTime } from "./tree-listing.ts";

/**
 * Makes the local directory, unless it waits for the first file that is chosen; true if it is new.
 * @throws FtpullError "file"
 */
export function makeLocalDirectory(directory: Directory): boolean {
  const { path, parent, pattern, options } = directory;
  const { rules, selection, verifiers, pathname } = options;
  if (parent === undefined && pattern === undefined) verifiers.noteTree(pathname, path);
  if (rules.staysInside) {
    if (isOwn(directory) && rules.existing.stays !== "always") removeTreeLink(path, path, rules);
    checkNoLinks(path, rules.top);
  } else checkInside(path, rules.top);
  const matchesPattern = parent !== undefined && pattern !== undefined;
  const waitsForFile = selection.choosesFiles || matchesPattern;
  const isNew = !waitsForFile && makeFolder(path);
  claimLocalDirectory(path, rules);
  return isNew;
}

/**
 * Gives the local directory the server's time: only a subdirectory has an entry in a listing.
 * @throws FtpullError "file" if another directory's files have come to it
 */
export function endLocalDirectory(directory: Directory): void {
  const { path, entry, options } = directory;
  claimLocalDirectory(path, options.rules);
  const time = entry?.precision === "exact" ? shownTime(entry) : undefined;
  if (time && isOwn(directory) && options.rules.keepsTime)
    ifPossible(() => utimesSync(path, time, time));
}

/** False for the top, and for a directory whose files go to the one above, as with -nd. */
function isOwn({ path, parent }: Directory): boolean {
  return parent !== undefined && parent.directory.path !== path;
}

/** Two names can be one directory, as where case makes no difference. */
function claimLocalDirectory(path: string, { own }: FileRules): void {
  const made = found(path);
  if (made !== undefined) own.claim(path, path, made);
}

/** Makes the local link in place of a link that leads into its tree. @throws FtpullError "file" */
export function makeLocalLink(tree: Tree, path: string, url: string, target: string): Result {
  const { rules } = tree.options;
  const made = { url, exit: 0, octets: 0, file: path, link: target, inTree: true } as const;
  const kept = { status: "skipped", ...made } as const;
  if (rules.existing.stays === "always" && isTaken(path))
    return { reason: "exists", explanation: `"${path}" is there already`, ...kept };
  const isNew = makeLink({ path, target, url, top: rules.top, own: rules.own });
  tree.localLinks.set(url, path);
  if (isNew) return { status: "done", ...made };
  return { reason: "unchanged", explanation: `"${path}" is unchanged`, ...kept };
}
