/** Gives a whole file its name, in one step that a kill can't split. */
import {
  type Stats,
  chmodSync,
  closeSync,
  futimesSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "../file-error.ts";
import { found, isTaken } from "../regular-file.ts";
import { temporaryIn } from "./temporary-file.ts";

/** Errors of file systems without hard links: FAT, some network and FUSE ones. */
const withoutLinks = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"]);

/** Gives a file its name, by what is to happen where that is taken; undefined: nothing happened. */
export const publish = {
  number: publishBeside,
  fail: (part: string, path: string) => (tryLink(part, path) ? path : undefined),
  replace: publishOver,
  resume: publishOver,
  continue: publishOver,
};

/** Renames the file to `path`, with the permissions of the file that it replaces. */
function publishOver(part: string, path: string): string {
  return renameOver(part, path, found(path));
}

function renameOver(part: string, path: string, replaced: Stats | undefined): string {
  if (replaced !== undefined) chmodSync(part, replaced.mode & 0o777);
  renameSync(part, path);
  return path;
}

/** The mode of a file that will replace this one: as private from its creation on. */
export function partialMode(replaced: Stats | undefined): number | undefined {
  return replaced && (replaced.mode & 0o777) | 0o600; // a later run writes to it
}

/** Links to the first free of `path`, `path.1` ...: a rename could replace another's new file. */
function publishBeside(part: string, path: string): string {
  return firstNumbered(path, (name) => (tryLink(part, name) ? name : undefined));
}

/** Writes a small file under a temporary name; replaces `path`, or fails where it is taken. */
export function publishOctets(
  octets: Buffer,
  path: string,
  replace: boolean,
  modified: Date | undefined,
): string {
  const temporary = temporaryIn(dirname(path));
  const replaced = replace ? found(path) : undefined;
  const fd = openSync(temporary, "wx", partialMode(replaced));
  try {
    try {
      writeFileSync(fd, octets);
      if (modified !== undefined) setTime(fd, modified);
    } finally {
      closeSync(fd);
    }
    if (replace) return renameOver(temporary, path, replaced);
    if (!tryLink(temporary, path)) throw new Error(`"${path}" is there already`);
    return path;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Tries `path`, `path.1`, `path.2` ... and returns the first result. */
export function firstNumbered<T>(path: string, attempt: (name: string) => T | undefined): T {
  for (let number = 0; ; number++) {
    const result = attempt(number === 0 ? path : `${path}.${number}`);
    if (result !== undefined) return result;
  }
}

/** A time that the file system refuses, such as year 99999, is left out. */
export function setTime(fd: number, modified: Date): void {
  try {
    futimesSync(fd, modified, modified);
  } catch {
    // the octets are whole all the same
  }
}

function tryLink(part: string, path: string): boolean {
  try {
    linkSync(part, path);
    unlinkSync(part);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (!withoutLinks.has(errorCode(error) ?? "")) throw error;
  }
  // Without hard links: a file that is created between the two steps is replaced.
  if (isTaken(path)) return false;
  renameSync(part, path);
  return true;
}
