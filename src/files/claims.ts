/**
 * Files and directories of this run, by device and inode: two names can be one file (by case, composed
 * letters, trailing dots, ignored characters), and a directory may become a link during the run.
 */
import { type BigIntStats, readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { FtpullError } from "../errors.ts";
import { cannotWrite } from "./file-error.ts";
import { checkInside, checkNoLinks, realPath } from "./folder.ts";
import { foundExactly } from "./regular-file.ts";

export class NameTaken extends FtpullError {}

const filePathByKey = new Map<string, string>();

const fileKeysByFolder = new Map<string, string[]>();

const folderPathByKey = new Map<string, string>();

interface ClaimedFolder {
  readonly top: string;
  readonly staysInside: boolean;
  readonly realPath: string | undefined;
}

const claimedFolders = new Map<string, ClaimedFolder>();

/** Claims an existing file for this path. @throws FtpullError "file" if it has another path of this run */
export function claimFile(path: string): BigIntStats | undefined {
  const file = foundExactly(path);
  if (file === undefined) return undefined;
  const first = filePathByKey.get(keyOf(file)) ?? path;
  if (first !== path && isOneName(path, first, file))
    throw new NameTaken("file", `cannot write "${path}": here it is the same file as "${first}"`);
  noteFile(path, file);
  return file;
}

export function noteFile(path: string, file: BigIntStats): void {
  const key = keyOf(file);
  if (filePathByKey.get(key) === path) return;
  filePathByKey.set(key, path);
  const folder = resolve(path, "..");
  const keys = fileKeysByFolder.get(folder);
  if (keys === undefined) fileKeysByFolder.set(folder, [key]);
  else keys.push(key);
}

export function notedPath(path: string): string | undefined {
  const key = keyAt(path);
  return key === undefined ? undefined : filePathByKey.get(key);
}

/** True if `path` is `first` in another spelling; a hard link, which its directory lists, is another name. */
function isOneName(path: string, first: string, file: BigIntStats): boolean {
  if (!areOne(path, first, keyOf(file))) return false;
  if (file.nlink === 1n) return true;
  return !readdirSync(dirname(path)).includes(basename(path));
}

/** Claims a directory of a tree. @throws FtpullError "file" if it leads out of `top`, or is another's, too */
export function claimFolder(path: string, top: string, staysInside = false): void {
  checkInside(path, top);
  const place = realPath(path);
  const folder = foundExactly(place);
  if (folder !== undefined) {
    const key = keyOf(folder);
    const first = folderPathByKey.get(key) ?? path;
    if (first !== path && areOne(place, realPath(first), key))
      throw cannotWrite(path, `here it is the same directory as "${first}"`);
    folderPathByKey.set(key, path);
  }
  if (staysInside) checkNoLinks(path, top);
  claimedFolders.set(resolve(path), { top, staysInside, realPath: folder && place });
}

/** Checks a tree's directory again before something is made in it. @throws as `claimFolder` does */
export function checkFolder(path: string): void {
  const claimed = claimedFolders.get(resolve(path));
  if (claimed !== undefined && claimed.realPath !== realPath(path))
    claimFolder(path, claimed.top, claimed.staysInside);
}

/** Frees memory, when no other files will be made in the directory. */
export function forgetFolder(path: string): void {
  const folder = resolve(path);
  for (const key of fileKeysByFolder.get(folder) ?? []) filePathByKey.delete(key);
  fileKeysByFolder.delete(folder);
  claimedFolders.delete(folder);
}

/**
 * True if `path`, which had this key, and `first` have it now. Another run that replaces the file at `path` frees
 * its inode, which the file system may give to the next file: `path` is looked at again, after `first`.
 */
function areOne(path: string, first: string, key: string): boolean {
  return keyAt(first) === key && keyAt(path) === key;
}

export function keyAt(path: string): string | undefined {
  const file = foundExactly(path);
  return file && keyOf(file);
}

export function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
