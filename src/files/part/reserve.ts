/**
 * The names of a document and its partial file when others exist or are being written. The lock of
 * `name.part` is the right to write `name`, whatever the partial file is called; a partial file of
 * another name has its own lock too.
 */
import { dirname } from "node:path";
import type { FtpullError } from "../../errors.ts";
import { cannotWrite } from "../file-error.ts";
import { makeFolder } from "../folder.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { found, foundExactly, isSameFile, isTaken, regularSize } from "../regular-file.ts";
import { holder, isLockedElsewhere, releaseLock, takeLock } from "./lock.ts";
import { hasState, removePart, urlIn } from "./part-state.ts";
import { firstNumbered } from "./publish.ts";

/** The right to write a document's file and its partial file, until it is released. */
export interface Reservation {
  readonly path: string;
  readonly part: string;
}

const partsInUse = new Set<string>();

/** This run's documents with names that partial files, resume states or their locks could use. */
const announced = new Set<string>();

/** Keeps a document's name free of the partial files of others. */
export function announce(path: string): void {
  if (/\.(?:part|part\.json|\d+)$/.test(path)) announced.add(path);
}

/**
 * For a name that exists: use a numbered one, fail, replace the file, resume its partial file and
 * replace it then, or take the file itself for the document's beginning, too.
 */
export type Collision = "number" | "fail" | "replace" | "resume" | "continue";

/** Whether a partial file of an earlier run is used. */
export function resumes(collision: Collision): boolean {
  return collision === "resume" || collision === "continue";
}

/**
 * Reserves a name for a document, with its directory and a partial file: by "number" the first of
 * `path`, `path.1` ... that neither exists nor is being written, else `path`. There, as with wget
 * and curl, a symbolic link stays, and its target is replaced. `url` is the document's, if known.
 * @throws FtpullError "file" if a running process writes the name, it is taken and may not be
 * replaced, or it is no regular file's
 */
export function reserve(path: string, collision: Collision, url?: string): Reservation {
  if (collision !== "number") return reserveExactly(path, collision, url);
  return firstNumbered(path, (name) => (isTaken(name) ? undefined : tryReserve(name, false, url)));
}

function reserveExactly(path: string, collision: Collision, url?: string): Reservation {
  const target = followLinks(path);
  refuseSpecial(target);
  if (collision === "fail" && isTaken(target)) throw alreadyThere(path);
  const reserved = tryReserve(target, resumes(collision), url);
  if (reserved !== undefined) return reserved;
  const locked = isPartInUse(target) ? target : `${target}.part`;
  throw cannotWrite(path, `${holder(locked)} is writing it`);
}

export function alreadyThere(path: string): FtpullError {
  return cannotWrite(path, "it is there already");
}

export function release({ path, part }: Reservation): void {
  partsInUse.delete(part);
  if (part !== `${path}.part`) releaseLock(part);
  releaseLock(`${path}.part`);
}

function refuseSpecial(path: string): void {
  const present = found(path);
  const replaceable = present?.isFile() && descriptorOf(path) === undefined;
  if (present === undefined || replaceable) return;
  throw cannotWrite(path, present.isDirectory() ? "it is a directory" : "it is not a regular file");
}

/** Reserves before looking at a partial file: no two runs ever write the same one. */
function tryReserve(path: string, continues: boolean, url?: string): Reservation | undefined {
  makeFolder(dirname(path));
  if (isPartInUse(path) || !takeLock(`${path}.part`)) return undefined;
  try {
    const part = reservePart(path, continues, url);
    // A run was killed between link and unlink in publish.ts, or before it removed the state.
    if (isSameFile(foundExactly(part), foundExactly(path)) || !isTaken(part)) removePart(part);
    partsInUse.add(part);
    return { path, part };
  } catch (error) {
    releaseLock(`${path}.part`);
    throw error;
  }
}

/** `path.part`, or the first `path.<n>.part` that no other program and no document has. */
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

/** Whether the document is in `path.1.part`, since `path.part` was another program's. */
function isKeptBeside(path: string, url: string | undefined): boolean {
  const part = `${path}.1.part`;
  return !isTaken(path) && !isTaken(`${path}.part`) && isTaken(part) && urlIn(part) === url;
}

/** Whether a numbered `part` isn't another document's: `x.1.part` may be that of `x.1`. */
function isFor(part: string, url: string | undefined): boolean {
  return url === undefined || !isTaken(part) || (urlIn(part) ?? url) === url;
}

/** Whether `part` may be written and removed: it has this program's state, or is free. */
function isOurs(part: string): boolean {
  if (announced.has(part) || announced.has(`${part}.json`)) return false;
  if (!hasState(part)) return !isTaken(part) && !isTaken(`${part}.json`);
  return !isTaken(part) || regularSize(part) !== undefined;
}

function isPartInUse(path: string): boolean {
  return path.endsWith(".part") && (partsInUse.has(path) || isLockedElsewhere(path));
}
