/**
 * The mark `.ftpull-mirror` in a tree's top directory: one line, the tree's URL. Only an empty directory gets the
 * mark: whatever is there later is the tree's, and --delete may remove it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ifPossible } from "../../files/file-error.ts";
import { localEntries } from "../../files/gone.ts";
import { readRegular } from "../../files/regular-file.ts";
import { canonicalUrl, directoryUrl, type UrlAdditions } from "../../url/format.ts";
import type { FtpUrl } from "../../url/ftp-url.ts";
import type { Plan } from "../../url/plan.ts";

export function markPath(folder: string): string {
  return join(folder, ".ftpull-mirror");
}

/** The URL that marks the directory of a tree: it has the user of --user, and the path from the root of --root. */
export function markOf(url: FtpUrl, plan: Plan, { root = false, user }: UrlAdditions): string {
  return canonicalUrl(directoryUrl(url, plan, { root, user }));
}

/** URL of a directory's mark, as `markOf` spells it; "none" for a mark without a URL: files of two trees have met. */
export function readMark(folder: string): string | undefined {
  const file = ifPossible(() => readRegular(markPath(folder), mostOctets, "refuse"));
  if (file === undefined) return undefined;
  const text = file.octets.toString().trim();
  return ifPossible(() => canonicalUrl(text)) ?? "none";
}

const mostOctets = 64 * 1024;

export interface MarkedTree {
  readonly url: string;
  readonly isMirror: boolean;
  /** True if no other tree of this run goes into the directory. */
  readonly isAlone: boolean;
}

/** `made` is the path of a first mark; `voided` the URL of another tree's mark, which counts no longer. */
interface Marking {
  readonly made?: string | undefined;
  readonly voided?: string;
}

/** Marks an empty directory as a mirror's, and empties another tree's mark if files of both trees are here. */
export function markTop(folder: string, { url, isMirror, isAlone }: MarkedTree): Marking {
  const marked = readMark(folder);
  if (marked === url) return {};
  const isEmpty = ifPossible(() => localEntries(folder).length) === 0;
  if (marked === undefined)
    return { made: isEmpty && isMirror ? writeMark(folder, url) : undefined };
  const isTakenOver = isEmpty && isAlone;
  writeMark(folder, isTakenOver ? url : "");
  return isTakenOver || marked === "none" ? {} : { voided: marked };
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
