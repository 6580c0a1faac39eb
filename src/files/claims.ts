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

/** Thrown where a whole file can't get its name: another file has that. */
export class NameTaken extends FtpullError {}

/** Paths of files, by device and inode. */
const files = new Map<string, string>();

/** Keys of `files`, by the directory of the path. */
const keysIn = new Map<string, string[]>();

/** Paths of directories, by device and inode. */
const folders = new Map<string, string>();

/** A directory of a tree, as it was when it was claimed. */
interface Place {
  readonly top: string;
  /** True if no link below `top` may lead to it. */
  readonly staysInside: boolean;
  /** Undefined until the directory is made. */
  readonly realPath: string | undefined;
}

const places = new Map<string, Place>();

/** Claims an existing file for this path. @throws FtpullError "file" if it has another path of this run */
export function claimFile(path: string): BigIntStats | undefined {
  const file = foundExactly(path);
  if (file === undefined) return undefined;
  const first = files.get(keyOf(file));
  if (first !== undefined && first !== path && isOneName(path, first, file))
    throw new NameTaken("file", `cannot write "${path}": here it is the same file as "${first}"`);
  noteFile(path, file);
  return file;
}

/** Notes that this run has made the file at `path`. */
export function noteFile(path: string, file: BigIntStats): void {
  const key = keyOf(file);
  if (files.get(key) === path) return;
  files.set(key, path);
  const folder = resolve(path, "..");
  const keys = keysIn.get(folder);
  if (keys === undefined) keysIn.set(folder, [key]);
  else keys.push(key);
}

export function notedPath(file: BigIntStats | undefined): string | undefined {
  return files.get(keyOf(file));
}

/** True if `path` is `first` in another spelling; a hard link, which its directory lists, is another name. */
function isOneName(path: string, first: string, file: BigIntStats): boolean {
  const isStillThere = keyOf(foundExactly(first)) === keyOf(file);
  if (!isStillThere || file.nlink === 1n) return isStillThere;
  return !readdirSync(dirname(path)).includes(basename(path));
}

/** Claims a directory of a tree. @throws FtpullError "file" if it leads out of `top`, or is another's, too */
export function claimFolder(path: string, top: string, staysInside = false): void {
  checkInside(path, top);
  const place = realPath(path);
  const folder = foundExactly(place);
  if (folder !== undefined) {
    const key = keyOf(folder);
    const first = folders.get(key) ?? path;
    if (first !== path && keyOf(foundExactly(realPath(first))) === key)
      throw cannotWrite(path, `here it is the same directory as "${first}"`);
    folders.set(key, path);
  }
  if (staysInside) checkNoLinks(path, top);
  places.set(resolve(path), { top, staysInside, realPath: folder && place });
}

/** Checks a tree's directory again before something is made in it. @throws as `claimFolder` does */
export function checkFolder(path: string): void {
  const place = places.get(resolve(path));
  if (place !== undefined && place.realPath !== realPath(path))
    claimFolder(path, place.top, place.staysInside);
}

/** Frees memory, when no other files will be made in the directory. */
export function forgetFolder(path: string): void {
  const folder = resolve(path);
  for (const key of keysIn.get(folder) ?? []) files.delete(key);
  keysIn.delete(folder);
  places.delete(folder);
}

/** Device and inode as a key; "" for no file. */
export function keyOf(file: BigIntStats | undefined): string {
  return file === undefined ? "" : `${file.dev}:${file.ino}`;
}
