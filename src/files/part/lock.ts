/**
 * Locks `name.part` by creating `name.part.lock` before it. Node has no flock, so the lock names
 * its owner, and holds while that process runs. It is a symbolic link where the file system has
 * them: a link never exists without its text.
 */
import { lstatSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { isOutOfFiles } from "../../errors.ts";
import { errorCode, fileError, writing } from "../file-error.ts";
import { checkRegular, readRegular } from "../regular-file.ts";
import { processStart, thisMachine } from "./process-start.ts";

/** The process that holds a lock. Process numbers are reused; with the start they are unique. */
interface Owner {
  readonly pid: number;
  readonly start: string | undefined;
  /** Where the process number holds: host and, in containers, the PID namespace. */
  readonly machine: string;
}

const lockOf = (part: string): string => `${part}.lock`;
const turnOf = (part: string): string => `${part}.take`;

/** After this silence, an owner on another machine or in another container counts as gone. */
const silenceMs = 10 * 60_000;
const mostOctets = 64 * 1024;
/** A lock that is no link is empty for an instant after its creation. */
const fillingMs = 10_000;

/** Takes the lock of `part`; false if a running process has it. @throws FtpullError "file" */
export function takeLock(part: string): boolean {
  const lock = lockOf(part);
  if (!create(part, lock)) {
    writing(lock, () => refuseForeign(lock));
    if (isHeld(part, lock)) return false;
    removeStale(part);
    if (!create(part, lock)) return false;
  }
  removeUnlessHeld(part, turnOf(part)); // left by a process that was killed in removeStale
  return true;
}

export function releaseLock(part: string): void {
  rmSync(lockOf(part), { force: true });
}

/** Whether another running process has the lock of `part`. */
export function isLockedElsewhere(part: string): boolean {
  const lock = lockOf(part);
  return readOwner(lock)?.pid !== process.pid && isHeld(part, lock);
}

/** Names the owner of the lock for a message. */
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

/** False where the file system has no links, or writing a file gives the better error. */
function tryLink(text: string, path: string): boolean {
  try {
    symlinkSync(text, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    return false;
  }
}

/** A FIFO, a device or a large file is another program's: it is neither read nor removed. */
function refuseForeign(lock: string): void {
  const stats = lstatSync(lock, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isSymbolicLink()) checkRegular(stats, mostOctets);
}

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

/** Milliseconds since the last write; infinite without a file. */
function silence(path: string): number {
  const written = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
  return Date.now() - written;
}

/**
 * Removes the lock of a dead process. Of two processes that find it, the slower could remove the
 * new lock of the faster: each first creates `name.part.take`, and looks again. No system call
 * removes or renames a file only if it is still the same one.
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
