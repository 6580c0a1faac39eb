/**
 * Local files of a mirror that its server doesn't have: how they are found, and removed. Links are never
 * followed, and what has changed since it was found is left alone: another run or the user made it.
 */
import { type BigIntStats, type Dirent, readFileSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyAt, keyOf } from "./claims.ts";
import { ifPossible, succeeds, withWriteErrors } from "./file-error.ts";
import { entriesOf, linkBelow, realPath } from "./folder.ts";
import { folderSuffix, temporaryPrefix } from "./names.ts";
import { removeLeft } from "./part/part-folder.ts";
import { removeEmpty } from "./part/reserve-folder.ts";
import { foundExactly, isTaken } from "./regular-file.ts";

export interface GoneFile {
  readonly path: string;
  /** "part" is the folder of a document; links are files. `version` has device and inode and, but for directories, times. */
  readonly kind: "file" | "part" | "directory";
  readonly version: string;
}

/**
 * A local folder as it was before the server's directory was listed; empty if a link below `top` leads to it.
 * @throws FtpullError "file"
 */
export class LocalFolder {
  readonly path: string;
  readonly #entries: readonly Dirent[];
  readonly #serversNames = new Set<string>();

  constructor(path: string, top: string) {
    this.path = path;
    this.#entries = linkBelow(top, path) === undefined ? localEntries(path) : [];
  }

  /** Adds one of the server's names, as it is spelled here. */
  add(name: string): void {
    this.#serversNames.add(name);
  }

  /** Entries that have none of the server's names, and that none finds in its own spelling: `README` may find `readme`. */
  others(): readonly Dirent[] {
    const unnamed = this.#entries.filter(({ name }) => !this.#isServers(name));
    if (unnamed.length === 0) return [];
    const found = this.#keysInOtherSpelling();
    return unnamed.filter(({ name }) => {
      const key = keyAt(join(this.path, name));
      return key !== undefined && !found.has(key);
    });
  }

  #isServers(name: string): boolean {
    return this.#serversNames.has(name) || this.#serversNames.has(documentOf(name));
  }

  #keysInOtherSpelling(): ReadonlySet<string> {
    const spellings = new Set(this.#entries.map(({ name }) => name));
    const keys = new Set<string>();
    for (const name of this.#serversNames)
      for (const asked of [name, name + folderSuffix]) {
        const key = spellings.has(asked) ? undefined : keyAt(join(this.path, asked));
        if (key !== undefined) keys.add(key);
      }
    return keys;
  }
}

/** Entries of a folder, without temporary files and marks; none if there is no folder. @throws FtpullError "file" */
export function localEntries(folder: string): Dirent[] {
  return entriesOf(folder).filter(({ name }) => !name.toLowerCase().startsWith(temporaryPrefix));
}

export function kindOf(entry: Dirent): GoneFile["kind"] | undefined {
  if (entry.isFile() || entry.isSymbolicLink()) return "file";
  if (!entry.isDirectory()) return undefined;
  return documentOf(entry.name) === entry.name ? "directory" : "part";
}

export function documentOf(name: string): string {
  return name.toLowerCase().endsWith(folderSuffix) ? name.slice(0, -folderSuffix.length) : name;
}

export function versionOf(file: BigIntStats): string {
  // `ctimeNs` would change with the removal of another name of the file.
  const { birthtimeNs, mtimeNs } = file;
  return file.isDirectory() ? keyOf(file) : `${keyOf(file)}:${birthtimeNs}:${mtimeNs}`;
}

/** True for a mount, where the system tells: a bind mount may have the device of the directory around it. */
export function isMount(path: string): boolean {
  const mounts = ifPossible(() => readFileSync("/proc/self/mountinfo", "latin1")) ?? "";
  const octets = Buffer.from(realPath(path)).toString("latin1");
  const inOctal = (one: string) => `\\${one.charCodeAt(0).toString(8).padStart(3, "0")}`;
  const escaped = octets.replace(/[ \t\n\\]/g, inOctal);
  const mountPoints = mounts.split("\n").map((line) => line.split(" ")[4]);
  return mountPoints.includes(escaped);
}

export function countFiles(folder: string): number {
  const counts = localEntries(folder).map((entry) =>
    kindOf(entry) === "directory" ? countFiles(join(folder, entry.name)) : 1,
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

export function removeGone({ path, kind, version }: GoneFile, top: string): boolean {
  const file = linkBelow(top, dirname(path)) === undefined ? foundExactly(path) : undefined;
  if (file === undefined || versionOf(file) !== version) return false;
  if (kind === "part") removeLeft(documentOf(path), "all");
  else if (kind === "directory") withWriteErrors(path, () => removeEmpty(path));
  else withWriteErrors(path, () => succeeds(() => unlinkSync(path), "ENOENT"));
  return !isTaken(path);
}
