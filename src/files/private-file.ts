/** Names of this process alone, for files that get their own names in one step, which a kill can't split. */
import {
  closeSync,
  existsSync,
  fstatSync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FtpullError } from "../errors.ts";
import { fileError, hasCode, ifPossible, lacksLinks } from "./file-error.ts";
import { temporaryPrefix } from "./names.ts";
import { found, isTaken } from "./regular-file.ts";

/** 16 hexadecimal digits. node:crypto would take 3 ms to load. */
export function randomDigits(): string {
  const digits = () => Math.floor(Math.random() * 2 ** 32).toString(16);
  return digits().padStart(8, "0") + digits().padStart(8, "0");
}

/** A path beside another one: `.ftpull-` and 16 hexadecimal digits. */
export function privatePath(path: string, digits = randomDigits()): string {
  return join(dirname(path), temporaryPrefix + digits);
}

/** Makes a private file beside the path, for `move` to give it a name; if that fails, it goes. */
export function makePrivateFile(
  path: string,
  content: string | Buffer,
  move: (own: string, file: Stats) => void,
  modified?: Date,
): void {
  const own = privatePath(path);
  try {
    const fd = openNew(own);
    let file: Stats;
    try {
      writeFileSync(fd, content);
      if (modified !== undefined) ifPossible(() => futimesSync(fd, modified, modified));
      file = fstatSync(fd);
    } finally {
      closeSync(fd); // Some file systems report a full disk only here.
    }
    move(own, file);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
}

/** Makes a file, never through a link, and its directory if that is missing. @throws the system's error */
export function openNew(path: string): number {
  try {
    return openSync(path, "wx+");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeFolder(dirname(path)); // Most are there: only a failure shows one that isn't.
    return openSync(path, "wx+");
  }
}

/**
 * Makes a directory and its parents; false if it is there. Node's `recursive` would never end where a parent takes none,
 * as /proc.
 */
export function makeFolder(path: string): boolean {
  const there = found(path);
  if (there?.isDirectory()) return false;
  if (there !== undefined)
    throw new FtpullError("file", `cannot make the directory "${path}": there is a file`);
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    const isMadeByOther = existsSync(path);
    if (!isMadeByOther) throw fileError("write", path, error);
    return false;
  }
}

/** Gives a file a name that is free; false if it is taken. */
export function moveIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    unlinkSync(from);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!lacksLinks(error)) throw error;
  }
  // Without hard links, a file that is created between the two steps is replaced.
  if (isTaken(to)) return false;
  renameSync(from, to);
  return true;
}
