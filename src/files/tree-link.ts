/** Symbolic links of trees, made and replaced as files are; none is ever written through. */
import { readlinkSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { cannotWrite, fileError, ifPossible, lacksLinks, withWriteErrors } from "./file-error.ts";
import { checkInside, isInside, makeFolder, realPath } from "./folder.ts";
import type { OwnFiles } from "./own-files.ts";
import { foundItself } from "./regular-file.ts";
import { privatePath } from "./private-file.ts";

const hint = "move it away, and the next run makes the link";

const hintWithoutLinks = "where no links can be made, --links follow copies what they lead to";

interface TreePlace {
  readonly top: string;
  readonly own: OwnFiles;
}

export interface TreeLink extends TreePlace {
  readonly path: string;
  readonly target: string;
  readonly url: string;
}

/**
 * Makes a link, inside of `top` whatever links stand on the way, in place of a link or file; false where it is there
 * already. @throws FtpullError "file" for what is in the way
 */
export function makeLink(link: TreeLink): boolean {
  const { path, target, url, top, own } = link;
  checkInside(path, top, resolve(realPath(dirname(path)), target));
  const isThere = linkTarget(path) === target;
  if (!isThere) putInPlace(newLink(path, target), link);
  const made = foundItself(path);
  if (made !== undefined) own.claim(path, url, made);
  return !isThere;
}

function newLink(path: string, target: string): string {
  makeFolder(dirname(path));
  const temporary = privatePath(path);
  try {
    symlinkSync(target, temporary);
  } catch (error) {
    const failure = fileError("write", path, error);
    throw lacksLinks(error) ? failure.with({ hint: hintWithoutLinks }) : failure;
  }
  return temporary;
}

function putInPlace(temporary: string, { path, url, own }: TreeLink): void {
  try {
    const there = foundItself(path);
    if (there !== undefined) own.check(path, url, there);
    if (there !== undefined && !there.isSymbolicLink() && !there.isFile()) {
      const what = there.isDirectory() ? "a directory" : "no file";
      throw cannotWrite(path, `${what} is in the place of a link`, hint);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw fileError("write", path, error);
  }
}

export function linkTarget(path: string): string | undefined {
  return foundItself(path)?.isSymbolicLink() ? ifPossible(() => readlinkSync(path)) : undefined;
}

/** Removes a link that leads inside of `top`, as text: the server has something else in its place. */
export function removeTreeLink(path: string, url: string, { top, own }: TreePlace): void {
  const target = linkTarget(path);
  if (target === undefined || !isInside(resolve(dirname(path), target), top)) return;
  const there = foundItself(path);
  if (there !== undefined) own.check(path, url, there);
  withWriteErrors(path, () => rmSync(path));
}
