/** Symbolic links of trees, made and replaced as files are; none is ever written through. */
import {
  type BigIntStats,
  existsSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { FtpullError } from "../errors.ts";
import { checkFolder, claimFile, noteFile } from "./claims.ts";
import { cannotWrite, fileError, ifPossible, lacksLinks, withWriteErrors } from "./file-error.ts";
import { checkInside, isInside, makeFolderInside, realPath } from "./folder.ts";
import { removeLeft } from "./part/part-folder.ts";
import { temporaryPath } from "./part/temporary.ts";
import { foundExactly, foundItself } from "./regular-file.ts";

export class NoLinks extends FtpullError {}

const hint =
  "move it away, and the next run makes the link; -f replaces a file, and fetches all others again";

/**
 * Makes the link at `path`, inside of `top` whatever links stand on the way; false where it is there already.
 * Another link is replaced, a file if `isForced`. @throws NoLinks; FtpullError "file" for what is in the way
 */
export function makeLink(path: string, target: string, top: string, isForced: boolean): boolean {
  checkInside(path, top, resolve(realPath(dirname(path)), target));
  const isThere = linkTarget(path) === target;
  if (isThere) claimFile(path);
  else putInPlace(newLink(path, target, top), path, isForced);
  removeLeft(path, "all");
  return !isThere;
}

/** Makes a link with a temporary name: a file system without links shows before what is in the place. */
function newLink(path: string, target: string, top: string): string {
  makeFolderInside(dirname(path), top);
  const temporary = temporaryPath(path);
  try {
    symlinkSync(target, temporary);
  } catch (error) {
    if (!lacksLinks(error)) throw fileError("write", path, error);
    throw new NoLinks("file", `cannot make the link "${path}"`, { cause: error });
  }
  return temporary;
}

function putInPlace(temporary: string, path: string, isForced: boolean): void {
  try {
    checkFolder(dirname(path));
    const there = claimFile(path);
    if (there !== undefined && !canReplace(there, isForced)) {
      const what = there.isDirectory() ? "a directory" : "a file";
      throw cannotWrite(path, `${what} is in the place of a link`, hint);
    }
    renameSync(temporary, path);
    noteFile(path, foundExactly(path)!);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError("write", path, error);
  }
}

function canReplace(there: BigIntStats, isForced: boolean): boolean {
  return there.isSymbolicLink() || (isForced && there.isFile());
}

export function linkTarget(path: string): string | undefined {
  return foundItself(path)?.isSymbolicLink() ? ifPossible(() => readlinkSync(path)) : undefined;
}

export function leadsSomewhere(link: string): boolean {
  return existsSync(link);
}

/** Removes a link that leads inside of `top`, as text: the server has something else in its place. */
export function removeTreeLink(path: string, top: string): void {
  const target = linkTarget(path);
  if (target === undefined || !isInside(resolve(dirname(path), target), top)) return;
  claimFile(path);
  withWriteErrors(path, () => rmSync(path));
}
