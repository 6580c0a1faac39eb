/** Where paths lead through symbolic links: a tree stays inside the directory that the user chose. */
import { readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { cannotWrite, ifPossible, withWriteErrors } from "./file-error.ts";
import { found, foundItself } from "./regular-file.ts";

const mostLinks = 40;

const stickyAndOpenToAll = 0o1002;

/** The end of a chain of links, a path that needn't exist. @throws FtpullError "file" */
export function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < mostLinks; links++) {
    const link = foundItself(target);
    if (!link?.isSymbolicLink()) return target;
    if (isPlanted(target, link)) {
      const what = `"${target}" is a symbolic link of another user's`;
      throw cannotWrite(path, `${what} in a directory that all can write to`);
    }
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw cannotWrite(path, "too many symbolic links");
}

/** True for a link that Linux's protected_symlinks wouldn't follow: the rule isn't in force everywhere. */
function isPlanted(path: string, link: Stats): boolean {
  const directory = found(dirname(path));
  const isOpenToAll =
    directory !== undefined && (directory.mode & stickyAndOpenToAll) === stickyAndOpenToAll;
  return isOpenToAll && link.uid !== process.geteuid?.() && link.uid !== directory.uid;
}

/** The text of a symbolic link; undefined for anything else. */
export function linkTarget(path: string): string | undefined {
  return ifPossible(() => readlinkSync(path));
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
  for (let at = resolve(path); at.length > resolve(top).length; at = dirname(at))
    if (foundItself(at)?.isSymbolicLink())
      throw cannotWrite(path, `"${relative("", at)}" is a symbolic link`);
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
