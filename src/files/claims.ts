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

const files = new Map<string, string>();
const keysIn = new Map<string, string[]>();

const folders = new Map<string, string>();
interface Place {
  readonly top: string;
  readonly refusesLinks: boolean;
  /** Undefined until the directory is made. */
  readonly realPath: string | undefined;
}

const places = new Map<string, Place>();

/** Claims the name of a new file; returns the file that has it. @throws FtpullError "file" */
export function claimName(path: string, isNumbered: boolean): BigIntStats | undefined {
  checkFolder(dirname(path));
  return isNumbered ? undefined : claimFile(path);
}

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

export function noteFile(path: string, file: BigIntStats): void {
  const [key, folder] = [keyOf(file), resolve(path, "..")];
  if (files.get(key) === path) return;
  files.set(key, path);
  const keys = keysIn.get(folder) ?? [];
  keys.push(key);
  keysIn.set(folder, keys);
}

export function notedPath(file: BigIntStats | undefined): string | undefined {
  return files.get(keyOf(file));
}

function isOneName(path: string, first: string, file: BigIntStats): boolean {
  const isThere = keyOf(foundExactly(first)) === keyOf(file);
  return isThere && (file.nlink === 1n || !readdirSync(dirname(path)).includes(basename(path)));
}

/** Claims a directory of a tree. @throws FtpullError "file" if it leads out of `top`, or is another's, too */
export function claimFolder(path: string, top: string, refusesLinks = false): void {
  checkInside(path, top);
  const place = realPath(path);
  const folder = foundExactly(place);
  if (folder !== undefined) {
    const first = folders.get(keyOf(folder)) ?? path;
    if (first !== path && keyOf(foundExactly(realPath(first))) === keyOf(folder))
      throw cannotWrite(path, `here it is the same directory as "${first}"`);
    folders.set(keyOf(folder), path);
  }
  if (refusesLinks) checkNoLinks(path, top);
  places.set(resolve(path), { top, refusesLinks, realPath: folder && place });
}

/** Checks a tree's directory again before something is made in it. @throws as `claimFolder` does */
export function checkFolder(path: string): void {
  const place = places.get(resolve(path));
  if (place !== undefined && place.realPath !== realPath(path))
    claimFolder(path, place.top, place.refusesLinks);
}

/** Frees memory, when no other files will be made in the directory. */
export function forgetFolder(path: string): void {
  const folder = resolve(path);
  for (const key of keysIn.get(folder) ?? []) files.delete(key);
  keysIn.delete(folder);
  places.delete(folder);
}

export function keyOf(file: BigIntStats | undefined): string {
  return file === undefined ? "" : `${file.dev}:${file.ino}`;
}
