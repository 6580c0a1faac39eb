/**
 * Local files of a mirror that its server doesn't have: how they are found, and removed. Links are never
 * followed, and what has changed since it was found is left alone: another run or the user made it.
 */
import { type BigIntStats, type Dirent, readFileSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyOf } from "./claims.ts";
import { ifPossible, succeeds, withWriteErrors } from "./file-error.ts";
import { entriesOf, linkBelow, realPath } from "./folder.ts";
import { folderSuffix, temporaryPrefix } from "./names.ts";
import { removeLeft } from "./part/part-folder.ts";
import { removeEmpty } from "./part/reserve-folder.ts";
import { foundExactly, isTaken } from "./regular-file.ts";

export interface GoneFile {
  readonly path: string;
  /** "part" is a document's folder; links are files. `version` has device and inode and, but for directories, times. */
  readonly kind: "file" | "part" | "directory";
  readonly version: string;
}

/** A local folder as it was before the server listed the same directory; empty if a link below `top` leads to it. */
export class LocalFolder {
  readonly path: string;
  readonly #entries: readonly Dirent[];
  /** The server's names, as they are spelled here. */
  readonly names = new Set<string>();

  /** @throws FtpullError "file" */
  constructor(path: string, top: string) {
    this.path = path;
    this.#entries = linkBelow(top, path) === undefined ? localEntries(path) : [];
  }

  /** The entries that have none of the server's names, and no folder of one, by device and inode, too. */
  others(): readonly Dirent[] {
    const has = (name: string) => this.names.has(name) || this.names.has(documentOf(name));
    const others = this.#entries.filter(({ name }) => !has(name));
    if (others.length === 0) return [];
    const keyAt = (name: string) => keyOf(foundExactly(join(this.path, name)));
    const here = new Set(this.#entries.map(({ name }) => name));
    const same = new Set([keyOf(undefined)]);
    for (const name of this.names)
      for (const spelled of [name, name + folderSuffix])
        if (!here.has(spelled)) same.add(keyAt(spelled));
    return others.filter(({ name }) => !same.has(keyAt(name)));
  }
}

/** Entries of a folder, without the program's own names; none if there is no folder. @throws FtpullError "file" */
export function localEntries(folder: string): Dirent[] {
  const isOthers = ({ name }: Dirent) => !name.toLowerCase().startsWith(temporaryPrefix);
  return entriesOf(folder).filter(isOthers);
}

/** Undefined for what no run makes: a device, a FIFO, a socket. */
export function kindOf(entry: Dirent): GoneFile["kind"] | undefined {
  if (entry.isFile() || entry.isSymbolicLink()) return "file";
  if (!entry.isDirectory()) return undefined;
  return documentOf(entry.name) === entry.name ? "directory" : "part";
}

export function documentOf(name: string): string {
  return name.toLowerCase().endsWith(folderSuffix) ? name.slice(0, -folderSuffix.length) : name;
}

export function versionOf(file: BigIntStats): string {
  // The time of a change would be that of another name's removal, too.
  const { birthtimeNs, mtimeNs } = file;
  return file.isDirectory() ? keyOf(file) : `${keyOf(file)}:${birthtimeNs}:${mtimeNs}`;
}

/** True for a mount, where the system tells: a bind mount may have the device of the directory around it. */
export function isMount(path: string): boolean {
  const mounts = ifPossible(() => readFileSync("/proc/self/mountinfo", "latin1")) ?? "";
  const escaped = Buffer.from(realPath(path))
    .toString("latin1")
    .replace(/[ \t\n\\]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return mounts.split("\n").some((line) => line.split(" ")[4] === escaped);
}

export function countFiles(folder: string): number {
  return localEntries(folder)
    .map((each) => (kindOf(each) === "directory" ? countFiles(join(folder, each.name)) : 1))
    .reduce((sum, count) => sum + count, 0);
}

/** Removes a file, a link or an empty directory below `top`; false if it has changed, or is in use. */
export function removeGone({ path, kind, version }: GoneFile, top: string): boolean {
  const file = linkBelow(top, dirname(path)) === undefined ? foundExactly(path) : undefined;
  if (file === undefined || versionOf(file) !== version) return false;
  if (kind === "part") removeLeft(documentOf(path), "all");
  else if (kind === "directory") withWriteErrors(path, () => removeEmpty(path));
  else withWriteErrors(path, () => succeeds(() => unlinkSync(path), "ENOENT"));
  return !isTaken(path);
}
