/** The right to write a document's name, and names beside it. */
import { dirname } from "node:path";
import { checkFolder, claimFile, claimName } from "../claims.ts";
import { cannotWrite, writing } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isTaken } from "../regular-file.ts";
import { PartFolder } from "./part-folder.ts";
import { type Collision, firstNumbered, publish } from "./publish.ts";

/**
 * Reserves a document's name: by "number" the first of `path`, `path.1` ... that neither exists nor
 * is being written, else `path`.
 */
export function reserveName(path: string, collision: Collision): PartFolder {
  if (collision === "number")
    return firstNumbered(path, (name) => {
      const reserved = isTaken(name) ? undefined : PartFolder.reserve(name);
      return typeof reserved === "string" ? undefined : reserved;
    });
  const target = targetOf(path, collision);
  checkFolder(dirname(target));
  const reserved = PartFolder.reserve(target);
  if (typeof reserved === "string") throw cannotWrite(path, reserved);
  return reserved;
}

/**
 * Path of the file that is written for `path`, by any collision but "number". As with wget and curl, a symbolic link
 * stays, and its target is replaced. @throws FtpullError "file" unless that is a regular file or free
 */
export function targetOf(path: string, collision: Collision): string {
  const target = followLinks(path);
  const present = found(target);
  if (present?.isDirectory()) throw cannotWrite(target, "it is a directory");
  const isSpecial = present?.isFile() === false || descriptorOf(target) !== undefined;
  if (isSpecial) throw cannotWrite(target, "it is not a regular file");
  if (collision === "fail" && present !== undefined) throw alreadyThere(path);
  return target;
}

/**
 * Gives data its reserved name, or where another program has taken that meanwhile, the next number of
 * `wanted` that is free. Undefined where no other name will do.
 */
export function publishReserved(
  data: string,
  path: string,
  wanted: string,
  collision: Collision,
): string | undefined {
  const isNumbered = collision === "number";
  claimName(path, isNumbered);
  if (writing(path, () => publish(data, path, collision))) {
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
