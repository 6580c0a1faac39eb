/** Gives a whole file its name, in one step that a kill can't split, and compares it with the file that it replaces. */
import { linkSync, lutimesSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { checkFolder, claimFile } from "../claims.ts";
import { cannotWrite, hasCode, ifPossible, lacksLinks } from "../file-error.ts";
import { foundExactly, isTaken, readRange, readTail } from "../regular-file.ts";

/**
 * Treatments of a name that is taken ("number" chooses a numbered one), with what a document goes on with: octets in the
 * folder of an earlier run, or else in the file itself, as with the document's beginning.
 */
export const collisions = {
  number: { ifTaken: "number", resumes: "nothing" },
  fail: { ifTaken: "fail", resumes: "nothing" },
  replace: { ifTaken: "replace", resumes: "nothing" },
  resume: { ifTaken: "replace", resumes: "folder" },
  continue: { ifTaken: "replace", resumes: "folder or file" },
} as const;

export type Collision = keyof typeof collisions;
export type IfTaken = (typeof collisions)[Collision]["ifTaken"];

/**
 * Claims the name of a whole file; returns the permissions of the file that it replaces.
 * @throws FtpullError "file" for a file that this run has made for another document
 */
export function claimReplaced(path: string, ifTaken: IfTaken): number | undefined {
  checkFolder(dirname(path));
  // A numbered name has to be free, or another number is tried.
  const there = ifTaken === "number" ? undefined : claimFile(path);
  if (there === undefined || ifTaken !== "replace") return undefined;
  if (!there.isFile()) throw notRegular(path);
  return Number(there.mode & 0o777n);
}

/** Inode, size and time of a regular file. Some file systems get another device number at each start of the system. */
export function versionAt(path: string): string | undefined {
  const file = foundExactly(path);
  return file?.isFile() ? `${file.ino}:${file.size}:${file.mtimeNs}` : undefined;
}

export async function isBeginning(path: string, whole: string): Promise<boolean> {
  let end = 0;
  for await (const octets of readRange(path, 0, Infinity, "refuse")) {
    end += octets.length;
    if (!readTail(whole, end, octets.length).equals(octets)) return false;
  }
  return true;
}

/** Renames a whole file to its claimed name; false if another program's file has the name, and keeps it. */
export function giveName(part: string, path: string, ifTaken: IfTaken): boolean {
  if (ifTaken === "replace") renameSync(part, path);
  else if (!tryLink(part, path)) return false;
  if (ifTaken !== "number") claimFile(path);
  return true;
}

export function notRegular(path: string): Error {
  return cannotWrite(path, "it is not a regular file");
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
