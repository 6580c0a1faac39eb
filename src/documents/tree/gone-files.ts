/**
 * --delete: the local files of one tree that the server doesn't have. A local folder is read before the server
 * lists the same directory: what comes later is another run's or the user's. Memory grows with what goes, and with local links.
 */
import type { Dirent } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { realPath } from "../../files/folder.ts";
import {
  documentOf,
  type GoneFile,
  hasNoLinks,
  kindOf,
  localEntries,
  type LocalFolder,
  versionOf,
} from "../../files/gone.ts";
import { foundExactly } from "../../files/regular-file.ts";
import { formatFtpUrl } from "../../url/format.ts";
import type { Directory } from "./directory.ts";

export class GoneFiles {
  readonly top: string;
  /** Why nothing may be deleted; undefined once all directories have ended, and nothing speaks against it. */
  why: string | undefined;
  /** Each directory stands behind what is in it. */
  readonly #found: GoneFile[] = [];
  /** Where local links at names of the server lead: real paths. */
  readonly #linked = new Set<string>();

  constructor(top: string) {
    this.top = top;
    this.why = `no directory was listed for "${top}"`;
  }

  /** Files that go: none that a link with a name of the server leads to, or that is in such a directory. */
  get all(): GoneFile[] {
    const top = realPath(this.top);
    const linked = new Set([...this.#linked].map((path) => join(this.top, relative(top, path))));
    const gone = new Set(this.#found.map(({ path }) => path));
    const isLinked = (path: string): boolean =>
      gone.has(path) && (linked.has(path) || isLinked(dirname(path)));
    return this.#found.filter(({ path }) => !isLinked(path));
  }

  /** Notes what a directory that was listed whole has here and lacks on the server. @throws FtpullError "file" */
  listed(directory: Directory, folder: LocalFolder): void {
    const { path, entries } = folder;
    if (directory.parent === undefined) this.why = undefined;
    if (!hasNoLinks(path, this.top)) return;
    const others = folder.others();
    for (const entry of entries)
      if (others.has(entry)) this.#note(entry, path, directory);
      else if (entry.isSymbolicLink()) this.#linked.add(realPath(join(path, entry.name)));
  }

  /** A directory's entries have ended, too: now it is known whether some were left out. */
  ended(directory: Directory): void {
    this.why ??= whyUncertain(directory);
  }

  /** Notes an entry of a folder, unless `directory` may hide it, or would leave it out by its name or time. */
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
      // A directory of another file system is a mount: what is in it was never this tree's.
      if (file.dev !== foundExactly(folder)?.dev) return;
      for (const inner of localEntries(path)) this.#note(inner, path, directory);
    }
    this.#found.push({ path, kind, version: versionOf(file) });
  }
}

/** Why a directory's listing doesn't prove what the server lacks. Where LIST hides names, it is those with a dot. */
function whyUncertain({ cut, listing, place }: Directory): string | undefined {
  const url = formatFtpUrl(place.url);
  if (listing?.command === "NLST") return `${url} was listed by NLST, which may leave names out`;
  const isKnown = listing?.hidesDots === true && cut === listing.cut;
  return cut === undefined || isKnown ? undefined : `${url}: ${cut}`;
}
