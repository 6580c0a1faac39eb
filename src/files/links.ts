/** The end of a path through symbolic links. */
import { readlinkSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { cannotWrite } from "./file-error.ts";
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
