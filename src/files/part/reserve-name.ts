/** Reserves a document's name, and finds numbered names beside it. */
import { dirname } from "node:path";
import { checkFolder, claimFile, claimName } from "../claims.ts";
import { cannotWrite, inTheWay, withWriteErrors } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isTaken } from "../regular-file.ts";
import { PartFolder } from "./part-folder.ts";
import { type Collision, firstNumbered, publish } from "./publish.ts";

/**
 * Reserves `path`, or by "number" the first of `path`, `path.1` ... that neither exists nor is being
 * written.
 */
export function reserveName(path: string, collision: Collision): PartFolder {
  if (collision === "number")
    return firstNumbered(path, (name) => {
      const folder = isTaken(name) ? undefined : PartFolder.reserve(name);
      return typeof folder === "string" ? undefined : folder; // A string is the reason against the name.
    });
  const target = targetOf(path, collision);
  checkFolder(dirname(target));
  const folder = PartFolder.reserve(target);
  if (typeof folder === "string") throw cannotWrite(path, folder);
  return folder;
}

/**
 * The file that is written for `path`, unless numbered: a symbolic link stays, and its target is
 * replaced, as with wget and curl. @throws FtpullError "file" unless the target is a regular file
 * or free
 */
export function targetOf(path: string, collision: Collision): string {
  const target = followLinks(path);
  const present = found(target);
  if (present?.isDirectory()) throw cannotWrite(target, "it is a directory", inTheWay);
  const isSpecial = present?.isFile() === false || descriptorOf(target) !== undefined;
  if (isSpecial) throw cannotWrite(target, "it is not a regular file");
  if (collision === "fail" && present !== undefined) throw alreadyThere(path);
  return target;
}

/**
 * Gives data its reserved name, or the next free number of `wanted` if another program has taken it
 * meanwhile. Undefined if no other name will do.
 */
export function publishReserved(
  data: string,
  path: string,
  wanted: string,
  collision: Collision,
): string | undefined {
  const isNumbered = collision === "number";
  claimName(path, isNumbered);
  if (withWriteErrors(path, () => publish(data, path, collision))) {
    if (!isNumbered) claimFile(path);
    return path;
  }
  if (!isNumbered) return undefined;
  const next = reserveName(wanted, collision);
  try {
    return publishReserved(data, next.path, wanted, collision);
  } finally {
    next.remove();
  }
}

export function alreadyThere(path: string): Error {
  return cannotWrite(path, "it is there already");
}
