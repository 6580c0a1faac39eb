/** The local folder of a tree's directory: made, and given the server's time at its end. */
import { utimesSync } from "node:fs";
import { ifPossible } from "../../files/file-error.ts";
import { checkInside, checkNoLinks } from "../../files/links.ts";
import { makeFolder } from "../../files/private-file.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import { found } from "../../files/regular-file.ts";
import type { FileRules } from "../file/download.ts";
import type { Directory } from "./tree.ts";
import { exactTime } from "./tree-listing.ts";

/** Makes the folder, unless it waits for the first file that is chosen. @throws FtpullError "file" */
export function makeTreeFolder({ place, parent, patterns, options }: Directory): void {
  const { rules, selection } = options;
  const { path } = place;
  if (rules.staysInside) {
    const isOwn = parent !== undefined && parent.place.path !== path;
    if (isOwn && !rules.keepsExisting) removeTreeLink(path, path, rules);
    checkNoLinks(path, rules.top);
  } else checkInside(path, rules.top);
  const matchesPattern = parent !== undefined && patterns.length > 0;
  const waitsForFile = selection.choosesFiles || matchesPattern;
  if (!waitsForFile) makeFolder(path);
  claimFolder(path, rules);
}

/**
 * Gives the folder its time: only a subdirectory has an entry in a listing, and with -nd it has no folder of its own.
 * @throws FtpullError "file" if another directory's files have come to it
 */
export function endTreeFolder({ place, parent, options }: Directory): void {
  const { path, entry } = place;
  claimFolder(path, options.rules);
  const time = entry && exactTime(entry);
  const isOwn = parent !== undefined && parent.place.path !== path;
  if (time && isOwn && options.rules.keepsTime) ifPossible(() => utimesSync(path, time, time));
}

/** Two names can be one directory, as where case makes no difference. */
function claimFolder(path: string, { own }: FileRules): void {
  const made = found(path);
  if (made !== undefined) own.claim(path, path, made);
}
