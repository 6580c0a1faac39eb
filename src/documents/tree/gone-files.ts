/**
 * --delete: the local files of one tree that the server doesn't have. A local folder is read before the server
 * lists the same directory: what comes later is another run's or the user's.
 */
import type { BigIntStats, Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import {
  documentOf,
  type GoneFile,
  isMount,
  kindOf,
  localEntries,
  type LocalFolder,
  versionOf,
} from "../../files/gone.ts";
import { foundExactly } from "../../files/regular-file.ts";
import type { Directory, TreeOptions } from "./directory.ts";
import { readMark } from "./mirror-mark.ts";

export class GoneFiles {
  readonly top: string;
  /** Files and directories that go; each directory stands behind its entries. */
  readonly all: GoneFile[] = [];

  #isTopListed = false;
  #doubt: string | undefined;

  constructor(top: string) {
    this.top = top;
  }

  /** Reason why nothing may be deleted; undefined once the top is listed, and nothing speaks against it. */
  get why(): string | undefined {
    return this.#isTopListed ? this.#doubt : `no directory was listed for "${this.top}"`;
  }

  forbid(reason: string | undefined): void {
    this.#doubt ??= reason;
  }

  /** Notes what the folder of a directory that was listed whole has, and the server lacks. @throws FtpullError "file" */
  listed(directory: Directory, folder: LocalFolder): void {
    if (directory.parent === undefined) this.#isTopListed = true;
    else if (readMark(folder.path) !== undefined) return; // Another mirror was put into this one.
    for (const entry of folder.others()) this.#note(entry, folder.path, directory);
  }

  ended(directory: Directory): void {
    this.forbid(whyUncertain(directory));
  }

  #note(entry: Dirent, folder: string, directory: Directory): void {
    const path = join(folder, entry.name);
    const kind = kindOf(entry);
    const file = foundExactly(path);
    if (kind === undefined || file === undefined) return;
    const isHidden = entry.name.startsWith(".") && directory.listing?.mayHide !== false;
    const label = relative(this.top, path).replaceAll(sep, "/");
    if (isHidden || !isChosen(entry, label, file, directory.options)) return;
    if (kind === "directory") {
      // Files of a mount, another file system or another mirror were never this tree's.
      const isOthers = file.dev !== foundExactly(folder)?.dev || isMount(path);
      if (isOthers || readMark(path) !== undefined) return;
      for (const inner of localEntries(path)) this.#note(inner, path, directory);
    }
    this.all.push({ path, kind, version: versionOf(file) });
  }
}

/** True if the run's rules would choose a document of this name and time; `label` is the path from the tree's top. */
function isChosen(
  entry: Dirent,
  label: string,
  file: BigIntStats,
  { selection, pathname }: TreeOptions,
): boolean {
  const { name } = entry;
  const kind = kindOf(entry);
  // A link could stand for a file or a directory.
  const mayBeDirectory = kind === "directory" || entry.isSymbolicLink();
  if (mayBeDirectory && !selection.hasDirectory(label, pathname)) return false;
  if (kind === "directory") return true;
  if (kind === "part") return selection.hasFile(documentOf(name));
  return selection.hasFile(name) && selection.hasTime(file.mtime);
}

function whyUncertain({ cut, listing, shownUrl: url }: Directory): string | undefined {
  if (listing?.command === "NLST") return `${url} was listed by NLST, which may leave names out`;
  // Where LIST hides names, they begin with a dot, and local files with such names stay.
  const hidesDotsAlone = listing?.hidesDots === true && cut === listing.cut;
  return cut === undefined || hidesDotsAlone ? undefined : `${url}: ${cut}`;
}
