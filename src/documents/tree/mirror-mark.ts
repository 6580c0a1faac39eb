/**
 * The mark `.ftpull-mirror` in a tree's top directory: one line, the tree's URL. Only an empty directory gets the
 * mark: whatever is there later is the tree's, and --delete may remove it.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ifPossible } from "../../files/file-error.ts";
import { localEntries } from "../../files/gone.ts";
import { formatFtpUrl } from "../../url/format.ts";
import { type FtpUrl, parseFtpUrl } from "../../url/ftp-url.ts";

export function markPath(folder: string): string {
  return join(folder, ".ftpull-mirror");
}

/** The URL that marks a tree's directory: equal for all spellings of the same login, host, port and path. */
export function markUrl(url: FtpUrl): string {
  const user = url.user === "anonymous" ? undefined : url.user;
  const names = url.segments.filter((segment) => segment !== "");
  return formatFtpUrl({ ...url, user, segments: [...names, ""], typecode: undefined });
}

/** URL of a directory's mark, as `markUrl` spells it; "none" for a mark without a URL: files of two trees have met. */
export function readMark(folder: string): string | undefined {
  const text = ifPossible(() => readFileSync(markPath(folder), "utf8").trim());
  if (text === undefined) return undefined;
  return ifPossible(() => markUrl(parseFtpUrl(text))) ?? "none";
}

export interface MarkedTree {
  readonly url: string;
  readonly isMirror: boolean;
  /** True if no other tree of this run goes into the directory. */
  readonly isAlone: boolean;
}

/**
 * Marks an empty directory as a mirror's; returns the path of a first mark. Another tree's mark is emptied if files
 * of both trees are here.
 */
export function markTop(
  folder: string,
  { url, isMirror, isAlone }: MarkedTree,
): string | undefined {
  const marked = readMark(folder);
  if (marked === url) return undefined;
  const isEmpty = ifPossible(() => localEntries(folder).length) === 0;
  if (marked === undefined) return isEmpty && isMirror ? writeMark(folder, url) : undefined;
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
