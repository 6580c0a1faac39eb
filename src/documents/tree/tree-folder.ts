/** The local folder of a tree's directory: checked, made, marked, and given the server's time. */
import { dirname, resolve } from "node:path";
import type { FtpullError } from "../../errors.ts";
import { checkFolder, claimFolder } from "../../files/claims.ts";
import { checkInside, checkNoLinks, makeFolderInside, setFolderTime } from "../../files/folder.ts";
import { localEntries } from "../../files/gone.ts";
import { found } from "../../files/regular-file.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import type { Directory } from "./directory.ts";
import type { GoneFiles } from "./gone-files.ts";
import { type MarkedTree, markTop, readMark } from "./mirror-mark.ts";
import { exactTime } from "./tree-listing.ts";

/** Makes the folder, unless it waits for the first file that is chosen. @throws FtpullError "file" */
export function makeTreeFolder(directory: Directory, gone: GoneFiles | undefined): void {
  const { place, options, isWholeTree } = directory;
  const { rules } = options;
  const { path } = place;
  if (rules.staysInside) checkLinks(directory);
  checkFolder(dirname(path));
  const isMirror = isWholeTree && rules.isMirror && place.cutDirs === 0;
  if (isMirror || !waitsForFile(directory)) makeFolderInside(path, rules.top);
  claimFolder(path, rules.top, rules.staysInside);
  if (!isWholeTree) return;
  mark(directory, { isMirror, isAlone: gone !== undefined });
  if (gone === undefined) return;
  // --delete found the mark, or no files, at the start: others may have come while the server was reached.
  const hasOthers = readMark(path) !== options.mark && localEntries(path).length > 0;
  if (hasOthers) gone.forbid(`files have come to "${path}" since the run began`);
}

function checkLinks({ parent, place, options }: Directory): void {
  const { rules } = options;
  const isOwn = parent !== undefined && parent.place.path !== place.path;
  if (isOwn && !rules.keepsExisting) removeTreeLink(place.path, rules.top);
  checkInside(place.path, rules.top);
  checkNoLinks(place.path, rules.top);
}

function waitsForFile({ parent, patterns, options }: Directory): boolean {
  const matchesPattern = parent !== undefined && patterns.length > 0;
  return options.selection.choosesFiles || matchesPattern;
}

function mark({ place, options }: Directory, kind: Pick<MarkedTree, "isMirror" | "isAlone">): void {
  const { observer, mark: url } = options;
  const { made, voided } = markTop(place.path, { url, ...kind });
  if (made !== undefined) observer.info(`made "${made}": it allows a later run with --delete here`);
  if (voided === undefined) return;
  const words = `"${place.path}" was the mirror of ${voided}`;
  observer.warning(`${words}: it has files of two trees now, and --delete is refused here`);
}

export function setTreeFolderTime({ place, parent, listing, options }: Directory): void {
  const { path, entry } = place;
  const { rules, observer } = options;
  const isOwn = path !== parent?.place.path && resolve(path) !== resolve(rules.top);
  const listed = entry?.type === "directory" ? exactTime(entry) : undefined;
  const modified = listing?.modified ?? listed;
  if (!rules.keepsTime || !isOwn || modified === undefined) return;
  try {
    if (found(path) === undefined) return;
    checkFolder(path);
    setFolderTime(path, modified);
  } catch (error) {
    observer.warning((error as FtpullError).message);
  }
}
