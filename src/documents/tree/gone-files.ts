/**
 * --delete: the local files of one tree that the server doesn't have. A local folder is read before the server
 * lists the same directory: what comes later is another run's or the user's.
 */
import type { Dirent } from "node:fs";
import { join, relative, sep } from "node:path";
import { linkBelow } from "../../files/folder.ts";
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
import type { Directory } from "./directory.ts";

export class GoneFiles {
  readonly top: string;
  /** Reason why nothing may be deleted; undefined once the top is listed, and nothing speaks against it. */
  why: string | undefined;
  /** Files and directories that go; each directory stands behind its entries. */
  readonly all: GoneFile[] = [];

  constructor(top: string) {
    this.top = top;
    this.why = `no directory was listed for "${top}"`;
  }

  /** Notes what a directory that was listed whole has here and lacks on the server. @throws FtpullError "file" */
  listed(directory: Directory, folder: LocalFolder): void {
    if (directory.parent === undefined) this.why = undefined;
    if (linkBelow(this.top, folder.path) !== undefined) return;
    for (const entry of folder.others()) this.#note(entry, folder.path, directory);
  }

  ended(directory: Directory): void {
    this.why ??= whyUncertain(directory);
  }

  #note(entry: Dirent, folder: string, directory: Directory): void {
    const { selection, pathname } = directory.options;
    const { name } = entry;
    const kind = kindOf(entry);
    const path = join(folder, name);
    const file = foundExactly(path);
    const isHidden = name.startsWith(".") && directory.listing?.mayHide !== false;
    if (kind === undefined || file === undefined || isHidden) return;
    // A link could stand for a file or a directory.
    const mayBeDirectory = kind === "directory" || entry.isSymbolicLink();
    const label = relative(this.top, path).replaceAll(sep, "/");
    if (mayBeDirectory && !selection.hasDirectory(label, pathname)) return;
    if (kind !== "directory" && !selection.hasFile(kind === "part" ? documentOf(name) : name))
      return;
    if (kind === "file" && !selection.hasTime(file.mtime)) return;
    if (kind === "directory") {
      // Files of a mount, or of another file system, were never this tree's.
      if (file.dev !== foundExactly(folder)?.dev || isMount(path)) return;
      for (const inner of localEntries(path)) this.#note(inner, path, directory);
    }
    this.all.push({ path, kind, version: versionOf(file) });
  }
}

/** Reason why a listing doesn't prove what the server lacks. Where LIST hides names, it is those with a dot. */
function whyUncertain({ cut, listing, shownUrl: url }: Directory): string | undefined {
  if (listing?.command === "NLST") return `${url} was listed by NLST, which may leave names out`;
  const isKnown = listing?.hidesDots === true && cut === listing.cut;
  return cut === undefined || isKnown ? undefined : `${url}: ${cut}`;
}
