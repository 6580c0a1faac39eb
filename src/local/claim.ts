/** Which name a document gets when others are there or under way, and the claim to it. */
import { existsSync, mkdirSync, readlinkSync } from "node:fs";
import { resolve, dirname } from "node:path";
import { FtpullError } from "../errors.ts";
import { writing } from "./file-error.ts";
import { holder, takeLock } from "./lock.ts";
import { removePart } from "./part-state.ts";
import { firstFree } from "./place.ts";
import { found, foundItself, isSameFile, isTaken } from "./regular-file.ts";

/**
 * Claims `path`, or the first of `path.1`, `path.2` ... that is neither there nor being
 * written, with its directory and its partial file. Returns the name.
 * @throws FtpullError "file" where no file can be created
 */
export function claimFree(path: string): string {
  return firstFree(path, (name) => !isTaken(name) && claim(name));
}

/**
 * Claims `path` itself, to replace or continue what is there. A symbolic link is followed, as
 * wget and curl write through it: it stays, and the file that it names is replaced.
 * @throws FtpullError "file" when a running process writes it, or it is no regular file
 */
export function claimExactly(path: string): string {
  const target = followLinks(path);
  refuseSpecial(target);
  if (claim(target)) return target;
  const words = `cannot write "${path}": ${holder(`${target}.part`)} is writing it`;
  throw new FtpullError("file", words);
}

/**
 * The path at the end of a chain of symbolic links, which needn't be there. It ends at a name
 * of an open descriptor too: what that leads to was opened by somebody else.
 * @throws FtpullError "file" for a chain that doesn't end
 */
export function followLinks(path: string): string {
  let target = path;
  for (let links = 0; links < 40; links++) {
    if (descriptorOf(target) !== undefined) return target;
    if (!foundItself(target)?.isSymbolicLink()) return target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  throw new FtpullError("file", `cannot write "${path}": too many symbolic links`);
}

/** The descriptor that `/dev/stdout`, `/dev/fd/3` and the like name. */
export function descriptorOf(path: string): number | undefined {
  const named = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].indexOf(path);
  if (named !== -1) return named;
  const number = /^(?:\/dev\/fd|\/proc\/self\/fd)\/(\d+)$/.exec(path)?.[1];
  return number === undefined ? undefined : Number(number);
}

function refuseSpecial(path: string): void {
  const present = found(path);
  const replaceable = present?.isFile() && descriptorOf(path) === undefined;
  if (present === undefined || replaceable) return;
  const what = present.isDirectory() ? "it is a directory" : "it is not a regular file";
  throw new FtpullError("file", `cannot write "${path}": ${what}`);
}

/** Nothing of a partial file is looked at before it is claimed: no two runs ever write the same one. */
function claim(path: string): boolean {
  const part = `${path}.part`;
  writing(dirname(path), () => makeDirectory(dirname(path)));
  if (foundItself(part)?.isDirectory())
    throw new FtpullError("file", `cannot write "${part}": it is a directory`);
  if (!takeLock(part)) return false;
  // Killed between link and unlink in place.ts, or between the rename and the note's removal.
  if (isSameFile(part, path) || !isTaken(part)) removePart(part);
  return true;
}

/** mkdir's own `recursive` never ends where a parent takes no directories: /proc. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(path)) throw error; // else another run was faster
  }
}
