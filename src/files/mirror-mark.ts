/**
 * The mark `.ftpull-mirror` in a directory that the user chose for a tree: one line, the tree's URL. Only
 * an empty directory gets it: all else in it is then the tree's.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ifPossible } from "./file-error.ts";
import { localEntries } from "./gone.ts";

export function markPath(folder: string): string {
  return join(folder, ".ftpull-mirror");
}

/** The first file of a directory that may be another's than this tree's. @throws FtpullError "file" */
export function firstForeign(folder: string, url: string): string | undefined {
  return readMark(folder) === url ? undefined : localEntries(folder)[0]?.name;
}

/**
 * Marks an empty directory as a mirror's; returns the path of a first mark. Another tree's mark is emptied: the
 * files of both are here. `isAlone`: no other tree of this run goes there.
 */
export function markMirror(
  folder: string,
  url: string,
  isMirror: boolean,
  isAlone: boolean,
): string | undefined {
  const mark = readMark(folder);
  const isOwn = localEntries(folder).length === 0 && (mark === undefined || isAlone);
  if (mark === url || (mark === undefined && !(isOwn && isMirror))) return undefined;
  const path = markPath(folder);
  // Without the mark nothing is deleted: no run has to fail for it.
  return ifPossible(() => {
    rmSync(path, { force: true });
    writeFileSync(path, isOwn ? `${url}\n` : "\n", { flag: "wx" });
    return mark === undefined ? path : undefined;
  });
}

function readMark(folder: string): string | undefined {
  return ifPossible(() => readFileSync(markPath(folder), "utf8"))?.replace(/\n$/, "");
}
