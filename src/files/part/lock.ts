/**
 * The right to write `name.part`, held as `name.part.lock`. Node has no flock, so the file names its
 * owner, and counts as long as that process runs. It is created before the partial file is; as a
 * symbolic link, where there are such, since that never exists without its text.
 */
import { lstatSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isOutOfFiles } from "../../errors.ts";
import { checkRegular, readRegular } from "../bounded-read.ts";
import { errorCode, fileError, writing } from "../file-error.ts";
import { processStart, thisMachine } from "./process-start.ts";

/** The process that holds a lock. Its number is used again by others; with its start it is unique. */
interface Owner {
  readonly pid: number;
  readonly start: string | undefined;
  /** Where the number means something: host and, in containers, the space of process numbers. */
  readonly machine: string;
}

const lockOf = (part: string): string => `${part}.lock`;
const turnOf = (part: string): string => `${part}.take`;

/**
 * An owner on another machine or in another container can't be looked up: it counts as gone when it
 * wrote nothing for so long. Else a container that was killed would keep the next one out for ever.
 */
const silenceMs = 10 * 60_000;
/** No lock of ours is larger. */
const mostOctets = 64 * 1024;
/** A lock that is no link is empty for the instant between its creation and its filling. */
const fillingMs = 10_000;

/**
 * Takes the lock of `part`; false when a running process has it, this one included.
 * @throws FtpullError "file" where no file can be created, or what has the lock's name isn't one
 */
export function takeLock(part: string): boolean {
  const lock = lockOf(part);
  if (!create(part, lock)) {
    writing(lock, () => refuseForeign(lock));
    if (isHeld(part, lock)) return false;
    removeStale(part);
    if (!create(part, lock)) return false;
  }
  removeUnlessHeld(part, turnOf(part)); // of a process that was killed there
  return true;
}

/** Gives back a lock that this process took. */
export function releaseLock(part: string): void {
  rmSync(lockOf(part), { force: true });
}

/** Whether another process that runs has the lock of `part`. */
export function isLockedElsewhere(part: string): boolean {
  const lock = lockOf(part);
  return readOwner(lock)?.pid !== process.pid && isHeld(part, lock);
}

/** The owner of the lock, for a message. */
export function holder(part: string): string {
  const owner = readOwner(lockOf(part));
  if (owner === undefined) return "another process";
  return owner.pid === process.pid ? "this very run" : `process ${owner.pid}`;
}

function create(part: string, path: string): boolean {
  const owner: Owner = {
    pid: process.pid,
    start: processStart(process.pid),
    machine: thisMachine(),
  };
  const text = JSON.stringify(owner);
  return writing(part, () => {
    try {
      if (!tryLink(text, path)) writeFileSync(path, text, { flag: "wx" });
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      rmSync(path, { force: true }); // the disk was full
      throw error;
    }
  });
}

/** False where the file system has no links, or a file will say better what is wrong. */
function tryLink(text: string, path: string): boolean {
  try {
    symlinkSync(text, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    return false;
  }
}

/** A FIFO, a device or a large file was put there by another program: it is neither read nor removed. */
function refuseForeign(lock: string): void {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isSymbolicLink()) checkRegular(stats, mostOctets);
}

/** Whether the lock or the turn at `path` is there and its owner may be at work. */
function isHeld(part: string, path: string): boolean {
  const owner = readOwner(path);
  if (owner === undefined) return silence(path) < fillingMs;
  if (owner.machine !== thisMachine()) return Math.min(silence(path), silence(part)) < silenceMs;
  return owner.start === processStart(owner.pid);
}

function readOwner(path: string): Owner | undefined {
  try {
    const owner = JSON.parse(readText(path)) as Partial<Owner> | null;
    if (typeof owner?.pid !== "number" || typeof owner.machine !== "string") return undefined;
    return { pid: owner.pid, start: owner.start, machine: owner.machine };
  } catch (error) {
    if (isOutOfFiles(error)) throw fileError("read", path, error);
    return undefined; // gone, or not filled yet
  }
}

function readText(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return readRegular(path, mostOctets, "refuse").octets.toString();
  }
}

/** Milliseconds since the file was last written; infinite when there is none. */
function silence(path: string): number {
  const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  return Date.now() - written;
}

/**
 * Removes the lock of a process that is gone. Of two processes that find it, the slower could remove
 * the lock that the faster has just taken: so each first creates a second file, `name.part.take`,
 * and looks again. No system call removes or renames a file only if it is still the same one.
 */
function removeStale(part: string): void {
  const turn = turnOf(part);
  removeUnlessHeld(part, turn);
  if (!create(part, turn)) return;
  removeUnlessHeld(part, lockOf(part));
  rmSync(turn, { force: true });
}

function removeUnlessHeld(part: string, path: string): void {
  if (!isHeld(part, path)) rmSync(path, { force: true });
}
