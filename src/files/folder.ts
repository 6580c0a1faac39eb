/** The local directories of a tree, which stay inside of the one that the user chose. */
import { existsSync, mkdirSync, realpathSync, utimesSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { cannotWrite, writing } from "./file-error.ts";
import { followLinks } from "./links.ts";
import { foundExactly, foundItself, isSameFile } from "./regular-file.ts";

/** Makes a directory and those above it. @throws FtpullError "file" */
export function makeFolder(path: string): void {
  writing(path, () => makeDirectory(path));
}

/** mkdir's own `recursive` never ends where a parent takes no directories: /proc. */
export function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error; // else another run was faster
  }
}

/** Refuses symbolic links that lead out of `top`, which exists. @throws FtpullError "file" */
export function checkInside(path: string, top: string): void {
  if (foundItself(path)?.isSymbolicLink() !== true) return;
  const target = followLinks(path);
  const inside = existsSync(target) ? realpathSync(target) : realpathSync(dirname(target));
  const way = relative(realpathSync(top), inside);
  if (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)) return;
  const words = `it is a symbolic link that leads out of "${top}", to "${target}"`;
  throw cannotWrite(path, words);
}

export function setFolderTime(path: string, modified: Date): void {
  writing(path, () => utimesSync(path, modified, modified));
}

/** Whether "a" and "A" name one file in this directory. */
export function ignoresCase(path: string): boolean {
  if (process.platform === "win32" || process.platform === "darwin") return true;
  const swapped = path.toUpperCase() === path ? path.toLowerCase() : path.toUpperCase();
  return swapped !== path && isSameFile(foundExactly(path), foundExactly(swapped));
}
