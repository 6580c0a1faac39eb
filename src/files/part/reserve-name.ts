/** Reserves a document's name, and finds numbered names beside it. */
import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import { checkFolder, NameTaken } from "../claims.ts";
import { cannotWrite, inTheWay, withWriteErrors } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isTaken } from "../regular-file.ts";
import { PartFolder } from "./part-folder.ts";
import { claimReplaced, firstNumbered, giveName, type IfTaken, notRegular } from "./publish.ts";

export function reserveName(path: string, ifTaken: IfTaken): PartFolder {
  if (ifTaken === "number")
    return firstNumbered(path, (name) => {
      if (isTaken(name)) return undefined;
      const folder = PartFolder.reserve(name);
      return folder instanceof PartFolder ? folder : undefined;
    });
  const target = targetOf(path, ifTaken);
  checkFolder(dirname(target));
  const folderOrReason = PartFolder.reserve(target);
  if (folderOrReason instanceof PartFolder) return folderOrReason;
  throw cannotWrite(path, folderOrReason);
}

/**
 * The file that is made or replaced for `path`: a symbolic link stays, and its target is replaced, as with
 * wget and curl. @throws FtpullError "file" unless the target is free or, except by "fail", a regular file
 */
export function targetOf(path: string, ifTaken: IfTaken): string {
  const target = followLinks(path);
  const present = found(target);
  if (present?.isDirectory()) throw cannotWrite(target, "it is a directory", inTheWay);
  const isSpecial = present?.isFile() === false || descriptorOf(target) !== undefined;
  if (isSpecial) throw notRegular(target);
  if (ifTaken === "fail" && present !== undefined) throw alreadyThere(path);
  return target;
}

interface ReservedName {
  readonly path: string;
  readonly wanted: string;
}

/**
 * Renames the whole file `part` to its reserved name, with the permissions of the file there; by "number", to
 * the next free number of `wanted` if another program has taken the name. Returns the name. @throws NameTaken
 */
export function publishReserved(
  part: string,
  { path, wanted }: ReservedName,
  ifTaken: IfTaken,
): string {
  const mode = claimReplaced(path, ifTaken);
  const isPublished = withWriteErrors(path, () => {
    if (mode !== undefined) chmodSync(part, mode);
    return giveName(part, path, ifTaken);
  });
  if (isPublished) return path;
  if (ifTaken !== "number") throw alreadyThere(path);
  const next = reserveName(wanted, ifTaken);
  try {
    return publishReserved(part, { path: next.path, wanted }, ifTaken);
  } finally {
    next.remove(); // Nothing was stored in this folder.
  }
}

export function alreadyThere(path: string): NameTaken {
  return new NameTaken("file", `cannot write "${path}": it is there already`);
}
