/**
 * The partial file of a document: `NAME.ftpull` has its first octets, and `NAME.ftpull.json` tells of which document
 * they are and which process writes them. Four rules keep two runs from harming each other:
 *   - A file of a process that writes it is left alone. If that process isn't seen (it is another machine's), then
 *   - a file gets octets of one version of a document alone, each at its own position, so two writers write the same;
 *   - another version, or a beginning at 0, makes a new file, and the other writer finds its own file gone at the end;
 *   - a whole file is moved to a private name first, and looked at there: only what this run wrote is published.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { Version } from "../destination.ts";
import { cannotWrite, hasCode, ifPossible, succeeds, withWriteErrors } from "../file-error.ts";
import { FileWriter } from "../file-writer.ts";
import { partSuffix, stateSuffix } from "../names.ts";
import { foundExactly, foundItself, readRegular } from "../regular-file.ts";
import { temporaryPath } from "../temporary.ts";
import { NameTaken } from "../twins.ts";

interface State {
  readonly pid: number;
  /** Undefined while the file isn't sure to have the first octets of one document: no later run can resume it. */
  readonly version: Version | undefined;
}

const existing = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

/** A process that has written nothing for so long is another one with the same number. */
const longestSilenceMs = 10 * 60_000;

const longestState = 64 * 1024;

export class PartFile extends FileWriter {
  readonly path: string;
  version: Version;
  readonly #name: string;
  #isClosed = false;

  private constructor(name: string, fd: number, version: Version) {
    super(fd, `"${name + partSuffix}"`);
    this.path = name + partSuffix;
    this.version = version;
    this.#name = name;
    this.end = fstatSync(fd).size;
  }

  /** The file that an ended run has left; undefined if there is none of this user's. @throws if a process writes it */
  static left(name: string): PartFile | undefined {
    checkWriter(name);
    const { version } = readState(name) ?? {};
    if (version === undefined) return undefined;
    try {
      const fd = openSync(name + partSuffix, existing);
      if (isOwn(fd)) return new PartFile(name, fd, version);
      closeSync(fd);
    } catch (error) {
      if (!hasCode(error, "ENOENT", "ELOOP", "EACCES", "EISDIR")) throw error;
    }
    return undefined;
  }

  /** A new file in the place of an ended run's. @throws FtpullError "file", as if a process writes it */
  static begin(name: string, version: Version, mode?: number): PartFile {
    return withWriteErrors(name + partSuffix, () => {
      take(name);
      const part = new PartFile(name, openSync(name + partSuffix, "wx+", mode), version);
      part.#note();
      return part;
    });
  }

  static copyOf(name: string, version: Version): PartFile {
    return withWriteErrors(name + partSuffix, () => {
      take(name);
      const { COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
      copyFileSync(name, name + partSuffix, COPYFILE_EXCL | COPYFILE_FICLONE);
      chmodSync(name + partSuffix, 0o600); // The copied permissions may keep this user from writing.
      return new PartFile(name, openSync(name + partSuffix, existing), version);
    });
  }

  /** Goes on behind the first octets; while they don't come in order, no later run can resume the file. */
  goOn(version: Version, octets: number, isInOrder = true): void {
    this.version = version;
    withWriteErrors(this.path, () => ftruncateSync(this.fd, octets));
    this.end = octets;
    this.#note(isInOrder);
  }

  #note(isInOrder = true): void {
    const path = this.#name + stateSuffix;
    // Without a size, no later run could tell that the document is the same.
    const version = isInOrder && this.version.size ? this.version : {};
    const state = JSON.stringify({ ...version, pid: process.pid });
    withWriteErrors(path, () => replaceState(this.#name, `${state}\n`));
  }

  get canBeResumed(): boolean {
    return this.end > 0 && readState(this.#name)?.version !== undefined;
  }

  /** Closes the file and moves it to a private name. @throws FtpullError "file" if it isn't what was written */
  detach(modified: Date | undefined): string {
    const own = temporaryPath(this.path);
    return withWriteErrors(this.path, () => {
      const written = fstatSync(this.fd, { bigint: true });
      if (modified !== undefined) ifPossible(() => futimesSync(this.fd, modified, modified));
      this.close();
      const isThere = succeeds(() => renameSync(this.path, own), "ENOENT");
      const moved = isThere ? foundExactly(own) : undefined;
      if (moved?.ino === written.ino && Number(moved.size) === this.end) return own;
      if (isThere) renameSync(own, this.path);
      throw cannotWrite(this.path, "another run, or another program, has changed it");
    });
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    withWriteErrors(this.path, () => closeSync(this.fd));
  }

  remove(): void {
    ifPossible(() => this.close());
    removeAll(this.#name);
  }
}

export function removeAll(name: string): void {
  for (const suffix of [stateSuffix, partSuffix]) rmSync(name + suffix, { force: true });
}

/** Takes the place of an ended run. Of several runs that want a free name, one makes the state. @throws NameTaken */
function take(name: string): void {
  checkWriter(name);
  const state = `${JSON.stringify({ pid: process.pid })}\n`;
  const isFree = succeeds(() => writeFileSync(name + stateSuffix, state, { flag: "wx" }), "EEXIST");
  if (!isFree) {
    checkWriter(name);
    replaceState(name, state);
  }
  // Only now: before, the file might be another run's.
  rmSync(name + partSuffix, { force: true });
}

/** By a rename: there is always a state, and nothing is written through a link or a FIFO. */
function replaceState(name: string, state: string): void {
  const own = temporaryPath(name);
  writeFileSync(own, state, { flag: "wx" });
  renameSync(own, name + stateSuffix);
}

/** @throws NameTaken if another process writes the file */
function checkWriter(name: string): void {
  const pid = writerOf(name);
  if (pid !== undefined)
    throw new NameTaken("file", `cannot write "${name}": process ${pid} is writing it`);
}

/** The other process that writes the file; undefined if it has ended, or isn't seen from here. */
export function writerOf(name: string): number | undefined {
  const { pid } = readState(name) ?? {};
  if (pid === undefined || pid === process.pid || !isAlive(pid)) return undefined;
  const { mtimeMs = 0 } = foundItself(name + partSuffix) ?? foundItself(name + stateSuffix) ?? {};
  return Date.now() - mtimeMs < longestSilenceMs ? pid : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, "EPERM"); // The process is another user's.
  }
}

/** Undefined for a state that is missing, another user's, cut or edited. */
function readState(name: string): State | undefined {
  return ifPossible(() => {
    const { octets, stats } = readRegular(name + stateSuffix, longestState, "refuse");
    const { url, size, modified, pid } = JSON.parse(octets.toString()) as Record<string, unknown>;
    if (!isOwnUsers(stats.uid)) return undefined;
    const isVersion = typeof url === "string" && Number.isSafeInteger(size);
    const time = typeof modified === "string" ? new Date(modified) : undefined;
    const version = isVersion ? { url, size: size as number, modified: time } : undefined;
    return { pid: Number(pid), version };
  });
}

function isOwn(fd: number): boolean {
  const stats = fstatSync(fd);
  return stats.isFile() && stats.nlink === 1 && isOwnUsers(stats.uid);
}

function isOwnUsers(uid: number): boolean {
  return uid === (process.geteuid?.() ?? uid);
}
