/** Gives a whole file its name, in one step that a kill can't split. */
import { chmodSync, linkSync, lutimesSync, renameSync, rmSync } from "node:fs";
import { hasCode, ifPossible, lacksLinks } from "../file-error.ts";
import { found, isTaken } from "../regular-file.ts";

/**
 * For an existing name: a numbered one, a failure, or another file; "resume" goes on with what an earlier
 * run left, and "continue" takes the file itself for the document's beginning, too.
 */
export type Collision = "number" | "fail" | "replace" | "resume" | "continue";

export function replaces(collision: Collision): boolean {
  return collision !== "number" && collision !== "fail";
}

/** Publishes with the permissions of the replaced file; false if the name is taken and stays so. */
export function publish(part: string, path: string, collision: Collision): boolean {
  const replaced = replaces(collision) ? found(path) : undefined;
  if (replaced !== undefined) chmodSync(part, replaced.mode & 0o777);
  return giveName(part, path, collision);
}

export function giveName(part: string, path: string, collision: Collision): boolean {
  if (!replaces(collision)) return tryLink(part, path); // A rename could replace another program's file.
  renameSync(part, path);
  return true;
}

/** Permissions for a file that will replace the one at `path`: as private from the beginning. */
export function partialMode(path: string, collision: Collision): number | undefined {
  const replaced = replaces(collision) ? found(path) : undefined;
  return replaced && (replaced.mode & 0o777) | 0o600; // A later run writes to it.
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
    if (hasCode(error, "EEXIST")) return false;
    if (!lacksLinks(error)) throw error;
  }
  // Without hard links, a file that is created between the two steps is replaced.
  if (isTaken(path)) return false;
  renameSync(part, path);
  return true;
}
