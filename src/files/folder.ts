/** The local directories of a tree, which stay inside the directory that the user chose. */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { FtpullError } from "../errors.ts";
import { cannotWrite, fileError, inTheWay, withWriteErrors } from "./file-error.ts";
import { followLinks } from "./links.ts";
import { found, foundItself } from "./regular-file.ts";

/** Makes a directory and its parents. Node's `recursive` would never end where a parent takes none, as /proc. */
export function makeFolder(path: string): void {
  const there = found(path);
  if (there?.isDirectory()) return;
  if (there !== undefined) {
    const words = `cannot make the directory "${path}": there is a file`;
    throw new FtpullError("file", words, { hint: inTheWay });
  }
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    const isMadeByOther = existsSync(path);
    if (!isMadeByOther) throw fileError("write", path, error);
  }
}

/**
 * @throws FtpullError "file" if symbolic links at `path` or on the way lead out of `top`. A link that is yet to be
 * made at `path` leads to `target`
 */
export function checkInside(path: string, top: string, target?: string): void {
  const end = withWriteErrors(path, () => realPath(target ?? followLinks(path)));
  if (!isInside(end, realPath(top)))
    throw cannotWrite(path, `a symbolic link leads out of "${top}", to "${end}"`);
}

export function checkNoLinks(path: string, top: string): void {
  const link = linkBelow(top, path);
  if (link !== undefined) throw cannotWrite(path, `"${relative("", link)}" is a symbolic link`);
}

function linkBelow(top: string, path: string): string | undefined {
  const at = resolve(path);
  if (at.length <= resolve(top).length) return undefined;
  return foundItself(at)?.isSymbolicLink() ? at : linkBelow(top, dirname(at));
}

/** True if a path is `top` or below it, as text. */
export function isInside(path: string, top: string): boolean {
  const way = relative(top, path);
  const leadsUp = way === ".." || way.startsWith(`..${sep}`);
  return !leadsUp && !isAbsolute(way); // To another drive of Windows, no relative path leads.
}

/** The path without symbolic links; the part that doesn't exist yet has none. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPath(above), basename(path));
  }
}
