/**
 * Which names a document and its partial file get when others are there or under way. A lock of
 * `name.part` is the right to write `name`, whatever the partial file is called; one of another
 * name has its own lock too.
 */
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { FtpullError } from "../../errors.ts";
import { writing } from "../file-error.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, isSameFile, isTaken, regularSize } from "../regular-file.ts";
import { holder, isLockedElsewhere, releaseLock, takeLock } from "./lock.ts";
import { hasState, removePart, urlIn } from "./part-state.ts";
import { firstFree } from "./publish.ts";

/** The right to write a document's file and its partial file, until it is released. */
export interface Reservation {
  readonly path: string;
  readonly part: string;
}

/** The partial files that this process writes. */
const partsInUse = new Set<string>();

/** Names of this run's documents that a partial file or a resume state could have, or whose lock could be one's. */
const announced = new Set<string>();

/** Keeps a document's name free of the partial files of others. */
export function announce(path: string): void {
  if (/\.(?:part|part\.json|\d+)$/.test(path)) announced.add(path);
}

/** What happens when the name is there: another name, a new file in its place, or the rest of it. */
export type Collision = "number" | "replace" | "continue";

/**
 * Reserves a name for a document, with its directory and a partial file. By "number" that is
 * `path`, or the first of `path.1`, `path.2` ... that is neither there nor being written, else
 * `path` itself. There a symbolic link is followed, as wget and curl write through it: it stays,
 * and the file that it names is replaced. `url` is the document's, where that is known.
 * @throws FtpullError "file" where no file can be created, a running process writes the name, or
 *   it is no regular file
 */
export function reserve(path: string, collision: Collision, url?: string): Reservation {
  if (collision !== "number") return reserveExactly(path, collision, url);
  let reserved: Reservation | undefined;
  const tryName = (name: string): boolean =>
    (reserved = tryReserve(name, false, url)) !== undefined;
  firstFree(path, (name) => !isTaken(name) && tryName(name));
  return reserved!;
}

function reserveExactly(path: string, collision: Collision, url?: string): Reservation {
  const target = followLinks(path);
  refuseSpecial(target);
  const reserved = tryReserve(target, collision === "continue", url);
  if (reserved !== undefined) return reserved;
  const locked = isPartInUse(target) ? target : `${target}.part`;
  throw new FtpullError("file", `cannot write "${path}": ${holder(locked)} is writing it`);
}

/** Gives the names back to others. */
export function release({ path, part }: Reservation): void {
  partsInUse.delete(part);
  if (part !== `${path}.part`) releaseLock(part);
  releaseLock(`${path}.part`);
}

function refuseSpecial(path: string): void {
  const present = found(path);
  const replaceable = present?.isFile() && descriptorOf(path) === undefined;
  if (present === undefined || replaceable) return;
  const what = present.isDirectory() ? "it is a directory" : "it is not a regular file";
  throw new FtpullError("file", `cannot write "${path}": ${what}`);
}

/** Nothing of a partial file is looked at before it is reserved: no two runs ever write the same one. */
function tryReserve(path: string, continues: boolean, url?: string): Reservation | undefined {
  writing(dirname(path), () => makeDirectory(dirname(path)));
  if (isPartInUse(path) || !takeLock(`${path}.part`)) return undefined;
  try {
    const part = reservePart(path, continues, url);
    // Killed between link and unlink in publish.ts, or between the rename and the state's removal.
    if (isSameFile(part, path) || !isTaken(part)) removePart(part);
    partsInUse.add(part);
    return { path, part };
  } catch (error) {
    releaseLock(`${path}.part`);
    throw error;
  }
}

/** `path.part`, or the first of `path.1.part`, `path.2.part` ... that no other program and no document has. */
function reservePart(path: string, continues: boolean, url?: string): string {
  const first = `${path}.part`;
  if (isOurs(first) && !(continues && isKeptBeside(path, url))) return first;
  for (let number = 1; ; number++) {
    const part = `${path}.${number}.part`;
    if (announced.has(`${path}.${number}`) || !takeLock(part)) continue;
    if (isOurs(part) && isFor(part, url)) return part;
    releaseLock(part);
  }
}

/** Whether octets of the document went to a number, since another program's file was there that has gone. */
function isKeptBeside(path: string, url: string | undefined): boolean {
  const part = `${path}.1.part`;
  return !isTaken(path) && !isTaken(`${path}.part`) && isTaken(part) && urlIn(part) === url;
}

/** Whether a numbered `part` isn't kept for another document: `x.1.part` may be that of `x.1`. */
function isFor(part: string, url: string | undefined): boolean {
  return url === undefined || !isTaken(part) || (urlIn(part) ?? url) === url;
}

/** Whether `part` may be written and removed: what is there has a resume state of ours, and nothing else is there. */
function isOurs(part: string): boolean {
  if (announced.has(part) || announced.has(`${part}.json`)) return false;
  if (!hasState(part)) return !isTaken(part) && !isTaken(`${part}.json`);
  return !isTaken(part) || regularSize(part) !== undefined;
}

/** Whether a document's name is that of a partial file that is being written. */
function isPartInUse(path: string): boolean {
  return path.endsWith(".part") && (partsInUse.has(path) || isLockedElsewhere(path));
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
