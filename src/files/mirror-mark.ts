/**
 * The mark `.ftpull-mirror` in a directory that the user chose for a tree: one line, the tree's URL. Only an empty
 * directory gets the mark: whatever is there later is the tree's.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ifPossible } from "./file-error.ts";
import { localEntries } from "./gone.ts";

export function markPath(folder: string): string {
  return join(folder, ".ftpull-mirror");
}

/** A name in a directory without this tree's mark: the file may be another's. @throws FtpullError "file" */
export function firstForeign(folder: string, url: string): string | undefined {
  return readMark(folder) === url ? undefined : localEntries(folder)[0]?.name;
}

interface MarkedTree {
  readonly url: string;
  readonly isMirror: boolean;
  /** True if no other tree of this run goes into the directory. */
  readonly isAlone: boolean;
}

/**
 * Marks an empty directory as a mirror's; returns the path of a first mark. Another tree's mark is emptied if files
 * of both trees are here.
 */
export function markMirror(
  folder: string,
  { url, isMirror, isAlone }: MarkedTree,
): string | undefined {
  const mark = readMark(folder);
  if (mark === url) return undefined;
  const isEmpty = localEntries(folder).length === 0;
  if (mark === undefined) return isEmpty && isMirror ? writeMark(folder, url) : undefined;
  writeMark(folder, isEmpty && isAlone ? url : "");
  return undefined;
}

/** Returns the mark's path; undefined where it can't be written: without the mark, nothing is deleted. */
function writeMark(folder: string, url: string): string | undefined {
  const path = markPath(folder);
  return ifPossible(() => {
    rmSync(path, { force: true });
    writeFileSync(path, `${url}\n`, { flag: "wx" });
    return path;
  });
}

function readMark(folder: string): string | undefined {
  return ifPossible(() => readFileSync(markPath(folder), "utf8"))?.replace(/\n$/, "");
}
