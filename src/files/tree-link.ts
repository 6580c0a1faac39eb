/** Symbolic links of trees, made and replaced as files are; none is ever written through. */
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { cannotWrite, fileError, withWriteErrors } from "./file-error.ts";
import { checkInside, isInside, linkTarget, realPath } from "./links.ts";
import type { OwnFiles } from "./own-files.ts";
import { makeFolder, privatePath } from "./private-file.ts";
import { foundItself } from "./regular-file.ts";

interface TreeLink {
  readonly top: string;
  readonly own: OwnFiles;
  readonly path: string;
  readonly target: string;
  readonly url: string;
}

type Place = Pick<TreeLink, "top" | "own">;

/**
 * Makes a link, inside of `top` whatever links stand on the way, in place of a link or file; false where it is there
 * already. @throws FtpullError "file" for what is in the way
 */
export function makeLink({ path, target, url, top, own }: TreeLink): boolean {
  checkInside(path, top, resolve(realPath(dirname(path)), target));
  const there = foundItself(path);
  if (there !== undefined) own.check(path, url, there);
  const isThere = linkTarget(path) === target;
  if (there && !there.isSymbolicLink() && !there.isFile()) {
    const what = there.isDirectory() ? "a directory" : "no file";
    throw cannotWrite(path, `${what} is in the place of a link`);
  }
  if (!isThere) putInPlace(path, target);
  const made = foundItself(path);
  if (made !== undefined) own.note(path, url, made);
  return !isThere;
}

function putInPlace(path: string, target: string): void {
  makeFolder(dirname(path));
  const temporary = privatePath(path);
  try {
    symlinkSync(target, temporary);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError("write", path, error);
  }
}

/** Removes a link that leads inside of `top`, as text: the server has something else in its place. */
export function removeTreeLink(path: string, url: string, { top, own }: Place): void {
  const target = linkTarget(path);
  if (target === undefined || !isInside(resolve(dirname(path), target), top)) return;
  const there = foundItself(path);
  if (there !== undefined) own.check(path, url, there);
  withWriteErrors(path, () => rmSync(path));
}
