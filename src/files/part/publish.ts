/** Names for whole files, given in one step that a kill can't split. */
import { linkSync, renameSync, rmSync } from "node:fs";
import { cannotWrite, hasCode, inTheWay, lacksLinks } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isTaken } from "../regular-file.ts";

/** What is done about a name that is taken; "continue" goes on behind the file there, and replaces it. */
export type Collision = "number" | "fail" | "replace" | "continue";

/**
 * The file that is made or replaced for `path`: a symbolic link stays, and its target is replaced, as with
 * wget and curl. @throws FtpullError "file" unless the target is free or, except by "fail", a regular file
 */
export function targetOf(path: string, collision: Collision): string {
  if (!isTaken(path)) return path;
  const target = followLinks(path);
  const present = found(target);
  if (present?.isDirectory()) throw cannotWrite(target, "it is a directory", inTheWay);
  const isSpecial = present?.isFile() === false || descriptorOf(target) !== undefined;
  if (isSpecial) throw cannotWrite(target, "it is not a regular file");
  if (collision === "fail" && present !== undefined) throw alreadyThere(path);
  return target;
}

/** The first of `path`, `path.1`, `path.2`, ... that is free. */
export function freeName(path: string, isFree: (name: string) => boolean): string {
  let name = path;
  for (let number = 1; isTaken(name) || !isFree(name); number++) name = `${path}.${number}`;
  return name;
}

/** Renames a whole file; false if another program's file has the name, and keeps it. */
export function giveName(whole: string, path: string, collision: Collision): boolean {
  if (collision === "number" || collision === "fail") return tryLink(whole, path);
  renameSync(whole, path);
  return true;
}

export function alreadyThere(path: string): Error {
  return cannotWrite(path, "it is there already");
}

function tryLink(whole: string, path: string): boolean {
  try {
    linkSync(whole, path);
    rmSync(whole, { force: true });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!lacksLinks(error)) throw error;
  }
  // Without hard links, a file that is created between the two steps is replaced.
  if (isTaken(path)) return false;
  renameSync(whole, path);
  return true;
}
