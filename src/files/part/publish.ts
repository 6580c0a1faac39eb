/** Gives a whole file its name, in one step that a kill can't split. */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  futimesSync,
  linkSync,
  lutimesSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { claimName, noteFile } from "../claims.ts";
import { errorCode, ifPossible } from "../file-error.ts";
import { found, isTaken } from "../regular-file.ts";
import { temporaryPath } from "./temporary.ts";

/** Errors of file systems without hard or symbolic links: FAT, some network and FUSE ones. */
export const withoutLinks = new Set([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EXDEV",
]);

/**
 * For an existing name: use a numbered one, fail, or replace the file; "resume" first resumes what
 * an earlier run left, and "continue" takes the file itself for the document's beginning, too.
 */
export type Collision = "number" | "fail" | "replace" | "resume" | "continue";

function replaces(collision: Collision): boolean {
  return collision !== "number" && collision !== "fail";
}

/** Publishes with the permissions of the replaced file; false if the name is taken and stays so. */
export function publish(part: string, path: string, collision: Collision): boolean {
  const replaced = replaces(collision) ? found(path) : undefined;
  if (replaced !== undefined) chmodSync(part, replaced.mode & 0o777);
  return giveName(part, path, collision);
}

function giveName(part: string, path: string, collision: Collision): boolean {
  if (!replaces(collision)) return tryLink(part, path); // A rename could replace another program's file.
  renameSync(part, path);
  return true;
}

/** Permissions for a file that will replace the one at `path`: as private from its creation on. */
export function partialMode(path: string, collision: Collision): number | undefined {
  const replaced = replaces(collision) ? found(path) : undefined;
  return replaced && (replaced.mode & 0o777) | 0o600; // A later run writes to it.
}

/**
 * Writes a small file under a temporary name, and publishes it with the permissions of the file
 * that it replaces. @throws if that can't be done, or the name isn't a file's
 */
export function publishOctets(
  octets: Buffer,
  path: string,
  collision: Collision,
  modified: Date | undefined,
): void {
  const there = claimName(path, collision === "number");
  const replaced = replaces(collision) ? there : undefined;
  if (replaced?.isFile() === false) throw new Error(`"${path}" is not a regular file`);
  const mode = replaced && Number(replaced.mode & 0o777n);
  const temporary = temporaryPath(path);
  const fd = openSync(temporary, "wx", mode); // exclusive: never through a link
  try {
    if (mode !== undefined) fchmodSync(fd, mode);
    writeFileSync(fd, octets);
    if (modified !== undefined) ifPossible(() => futimesSync(fd, modified, modified));
    if (!giveName(temporary, path, collision)) throw new Error(`"${path}" is there already`);
    if (collision !== "number") noteFile(path, fstatSync(fd, { bigint: true }));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}

export function firstNumbered<T>(path: string, attempt: (name: string) => T | undefined): T {
  for (let number = 0; ; number++) {
    const result = attempt(number === 0 ? path : `${path}.${number}`);
    if (result !== undefined) return result;
  }
}

/** Leaves out a time that the file system refuses, such as year 99999. */
export function setTime(path: string, modified: Date): void {
  ifPossible(() => lutimesSync(path, modified, modified));
}

function tryLink(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    rmSync(part, { force: true });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
  }
  // Without hard links, a file that is created between the two steps is replaced.
  if (isTaken(path)) return false;
  renameSync(part, path);
  return true;
}
