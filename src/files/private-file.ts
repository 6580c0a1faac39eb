/** Names of this process alone, for files that get their own names in one step, which a kill can't split. */
import { closeSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode, lacksLinks } from "./file-error.ts";
import { makeFolder } from "./folder.ts";
import { temporaryPrefix } from "./names.ts";
import { isTaken } from "./regular-file.ts";

/** 16 hexadecimal digits. node:crypto would take 3 ms to load. */
export function randomDigits(): string {
  const digits = () => Math.floor(Math.random() * 2 ** 32).toString(16);
  return digits().padStart(8, "0") + digits().padStart(8, "0");
}

/** A path beside another one: `.ftpull-` and 16 hexadecimal digits. */
export function privatePath(path: string): string {
  return join(dirname(path), temporaryPrefix + randomDigits());
}

/** Makes a file, never through a link, and its directory if that is missing. `fill` gets the descriptor. */
export function makeFile<T>(path: string, mode: number, fill: (fd: number) => T): T {
  const fd = openNew(path, mode);
  try {
    try {
      return fill(fd);
    } finally {
      closeSync(fd); // Some file systems report a full disk only here.
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

/** @throws the system's error, EEXIST if something is there */
export function openNew(path: string, mode?: number): number {
  try {
    return openSync(path, "wx+", mode);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    makeFolder(dirname(path)); // Most are there: only a failure shows one that isn't.
    return openSync(path, "wx+", mode);
  }
}

/** Makes a private file beside the path, for `move` to give it the name, whole from the beginning. */
export function withPrivateText(path: string, text: string, move: (own: string) => void): void {
  const own = privatePath(path);
  makeFile(own, 0o666, (fd) => writeFileSync(fd, text));
  try {
    move(own);
  } catch (error) {
    rmSync(own, { force: true });
    throw error;
  }
}

/** Gives a file a name that is free; false if it is taken. */
export function moveIfFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    rmSync(from, { force: true });
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
