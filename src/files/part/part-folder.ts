/**
 * PartFolder: the folder `name.ftpull`, in which a document is until it is whole. The right to write
 * `name` is the folder's: it has one file whose name tells its owner (owner.ts), besides
 *
 *   data         the octets
 *   state.json   the document they belong to, so that a later run resumes that document only
 *
 * A document can't be called so: neither this folder nor `name.ftpull.ftpull`, where it is made, is
 * another document's.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DocumentIdentity, PartialDocument } from "../destination.ts";
import { cannotWrite, errorCode, fileError, succeeds, writing } from "../file-error.ts";
import { makeFolder } from "../folder.ts";
import { endOfRest, octetsIn, type Gap } from "../gaps.ts";
import { folderSuffix } from "../names.ts";
import { found, foundItself, isSameFile, isTaken, syncFile } from "../regular-file.ts";
import { isRunning, isSafe, noOwner, type Owner, parseOwner, thisProcess } from "./owner.ts";
import { readState, writeState } from "./state.ts";

/** What is in the folder beside its owner. */
const known: readonly string[] = ["data", "state.json", "state.new"];

/** Each further attempt follows a step of another process. */
const mostAttempts = 20;

/** Where the folder is made; a small document is written to a file of this name. */
export const makingPath = (path: string): string => path + folderSuffix + folderSuffix;

export function hasPartFolder(path: string): boolean {
  return isTaken(path + folderSuffix);
}

/**
 * Removes what an earlier run left beside a file, unless that run goes on. Where the file isn't known to
 * be as the server's (`isWhole`), octets stay, which a later run can resume: tells the folder's name.
 */
export function removeLeft(path: string, isWhole: boolean): string | undefined {
  if (!hasPartFolder(path)) return undefined;
  const folder = path + folderSuffix;
  if (!isWhole && storedIn(join(folder, "data")) > 0) return folder;
  try {
    const reserved = PartFolder.reserve(path);
    if (typeof reserved !== "string") reserved.remove();
  } catch {
    // Another program's folder stays, and does no harm: nothing is written.
  }
  return undefined;
}

/** How many octets are stored; a file with a second name was published before a run was killed. */
function storedIn(path: string): number {
  const data = foundItself(path);
  return data?.isFile() && data.nlink < 2 ? data.size : 0;
}

/** That of a small document whose run was killed between link and unlink in publish.ts. */
export function removeSecondName(path: string): void {
  const making = makingPath(path);
  if (isSameFile(making, path)) rmSync(making);
}

export class PartFolder {
  /** The document's final name. */
  readonly path: string;
  readonly data: string;
  readonly #folder: string;

  private constructor(path: string) {
    this.path = path;
    this.#folder = path + folderSuffix;
    this.data = join(this.#folder, "data");
  }

  /**
   * Reserves the right to write `path`, or tells which process has it; makes missing directories.
   * @throws FtpullError "file" where the folder's name is another program's file
   */
  static reserve(path: string): PartFolder | string {
    const folder = path + folderSuffix;
    makeFolder(dirname(path));
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      const owners = ownersIn(folder);
      const running = owners?.find((owner) => isRunning(owner, () => silence(folder)));
      if (running?.pid === process.pid) return "this very run";
      if (running !== undefined) return `process ${running.pid}`;
      const isTaken = owners === undefined ? make(path) : takeOver(folder, owners[0]);
      if (isTaken) return new PartFolder(path);
    }
    throw cannotWrite(path, `other processes go on changing "${folder}"`);
  }

  /** What an earlier run left of a document; undefined for nothing. */
  read(): PartialDocument | undefined {
    const length = storedIn(this.data);
    if (length === 0) return undefined;
    const { document, missing } = readState(this.#inside("state.json")) ?? {};
    if (missing === undefined) return { octets: length, document };
    const { size = 0 } = document ?? {};
    // The state is worthless when the file was cut; and no run saves one without gaps.
    if (endOfRest(missing, size) > length || missing.length === 0)
      return { octets: length, document: undefined };
    const octets = size - octetsIn(missing);
    return octets === 0 ? undefined : { octets, document, missing };
  }

  write(document: DocumentIdentity, missing?: readonly Gap[]): void {
    const [path, fresh] = [this.#inside("state.json"), this.#inside("state.new")];
    writing(this.#folder, () => writeState(path, fresh, document, missing));
  }

  /** Leaves the octets, once they are on the disk, to a later run. */
  async keep(): Promise<void> {
    await Promise.all([syncFile(this.data), syncFile(this.#inside("state.json"))]);
    const own = this.#inside(thisProcess().name);
    writing(this.#folder, () => renameSync(own, this.#inside(noOwner)));
  }

  /** Ends with the owner, so that what a kill leaves of it is known as this program's. */
  remove(): void {
    writing(this.#folder, () => {
      const owners = readNames(this.#folder).filter((name) => parseOwner(name) !== undefined);
      for (const name of [...known, ...owners]) rmSync(this.#inside(name), { force: true });
      removeEmpty(this.#folder);
    });
  }

  #inside(name: string): string {
    return join(this.#folder, name);
  }
}

/** Several, where a process was killed, or gave up, while it made the folder; undefined for no folder. */
function ownersIn(folder: string): Owner[] | undefined {
  const present = foundItself(folder);
  if (present === undefined) return undefined;
  if (!present.isDirectory()) throw notOurs(folder, "it is no directory");
  const names = readNames(folder);
  const owners = names.toSorted().flatMap((name) => parseOwner(name) ?? []);
  const strange = names.find((name) => !known.includes(name) && parseOwner(name) === undefined);
  if (strange !== undefined) throw notOurs(folder, `it has "${strange}"`);
  if (names.length > 0 && owners.length === 0) throw notOurs(folder, "it has no owner");
  return owners;
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw fileError("read", folder, error);
  }
}

function notOurs(folder: string, because: string): Error {
  const hint = "move it away: names that end in .ftpull are this program's";
  return cannotWrite(folder, `another program has put it there: ${because}`, hint);
}

/** Milliseconds since the last write. */
function silence(folder: string): number {
  const paths = [folder, join(folder, "data"), join(folder, "state.json")];
  return Date.now() - Math.max(...paths.map((path) => found(path)?.mtimeMs ?? -Infinity));
}

/**
 * Makes the folder with its owner in it under another name, and renames it: of several processes
 * one succeeds, whatever a killed one has left there.
 */
function make(path: string): boolean {
  const [folder, making] = [path + folderSuffix, makingPath(path)];
  const { name } = thisProcess();
  return writing(path, () => {
    // What is there of a small document is a killed run's; else its run will do as this one.
    if (foundItself(making)?.isFile()) rmSync(making, { force: true });
    ownersIn(making);
    succeeds(() => mkdirSync(making), "EEXIST");
    try {
      writeFileSync(join(making, name), "");
      renameSync(making, folder);
      return true;
    } catch (error) {
      for (const each of [making, folder]) rmSync(join(each, name), { force: true });
      removeEmpty(making);
      const isLost = errorCode(error) === "ENOENT" || isTaken(folder); // another process was faster
      if (isLost) return false;
      throw error;
    }
  });
}

/** One rename takes what a process has left that is gone: of several that find it, one succeeds. */
function takeOver(folder: string, owner: Owner | undefined): boolean {
  return writing(folder, () => {
    // What a run leaves that is killed in `remove`, or before it has put its name there.
    if (owner === undefined) {
      removeEmpty(folder);
      return false;
    }
    if (!isSafe(owner)) rmSync(join(folder, "state.json"), { force: true });
    const own = join(folder, thisProcess().name);
    return succeeds(() => renameSync(join(folder, owner.name), own), "ENOENT");
  });
}

/** Another process may have begun to use it. */
function removeEmpty(folder: string): void {
  succeeds(() => rmdirSync(folder), "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR");
}
