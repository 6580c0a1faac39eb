/**
 * PartFolder: the folder `name.ftpull`, in which a document is until it is whole. The right to write
 * `name` is the folder's: it has one file whose name tells its owner (owner.ts), besides
 *
 *   data         the octets
 *   state.json   the document they belong to, so that a later run resumes that document only
 *
 * No document can have such a name. The folder has to be this user's, and files in it are opened without
 * following links. A process that was asleep while another one took the folder over leaves it alone.
 */
import {
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { DocumentIdentity, PartialDocument } from "../destination.ts";
import { cannotWrite, errorCode, fileError, ifPossible, succeeds, writing } from "../file-error.ts";
import { makeFolder } from "../folder.ts";
import { endOfRest, octetsIn, type Gap } from "../gaps.ts";
import { folderSuffix } from "../names.ts";
import { found, foundItself, isTaken, syncFile } from "../regular-file.ts";
import {
  isRunning,
  isSafe,
  mayWake,
  noOwner,
  type Owner,
  parseOwner,
  thisProcess,
  wakingName,
} from "./owner.ts";
import { readState, writeState } from "./state.ts";
import { removeLeftovers, temporaryPath } from "./temporary.ts";
import { isOwnUsers, userName } from "./user.ts";

/** Names in the folder beside its owner. */
const known: readonly string[] = ["data", "data.new", "state.json", "state.new"];

/** Mode of the folder: no other user can put links into it. */
const privateMode = 0o700;

/** Each further attempt follows a step of another process. */
const mostAttempts = 20;

export function hasPartFolder(path: string): boolean {
  return isTaken(path + folderSuffix);
}

/**
 * Removes what an earlier run left beside a file, unless that run goes on. Where the file isn't known to
 * be as the server's (`isWhole`), octets stay, which a later run can resume: tells the folder's name.
 */
export function removeLeft(path: string, isWhole: boolean): string | undefined {
  removeLeftovers(path);
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

/** Number of stored octets: 0 for a file with a second name, which was published before a run was killed. */
function storedIn(path: string): number {
  const data = foundItself(path);
  return data?.isFile() && data.nlink < 2 ? data.size : 0;
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

  /** Part of a document that an earlier run left; undefined for nothing. */
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

  /** @throws FtpullError "file" where another process has taken the folder over */
  checkOwner(): void {
    if (!this.#isOurs) throw cannotWrite(this.#folder, "another process has taken it over");
  }

  /** @throws FtpullError "file", also as `checkOwner` does */
  write(document: DocumentIdentity, missing?: readonly Gap[]): void {
    this.checkOwner();
    const [path, fresh] = [this.#inside("state.json"), this.#inside("state.new")];
    writing(this.#folder, () => writeState(path, fresh, document, missing));
  }

  /** Leaves the octets, once they are on the disk, to a later run. */
  async keep(): Promise<void> {
    await Promise.all([syncFile(this.data), syncFile(this.#inside("state.json"))]);
    writing(this.#folder, () => renameSync(this.#own, this.#inside(noOwner)));
  }

  /** Ends with the owner, so that what a kill leaves of it is known as this program's. */
  remove(): void {
    if (!this.#isOurs) return;
    writing(this.#folder, () => {
      for (const name of known) rmSync(this.#inside(name), { force: true });
      rmSync(this.#own, { force: true });
      removeEmpty(this.#folder);
    });
  }

  /** Whether no other process has taken the folder over, as happens to one that was asleep. */
  get #isOurs(): boolean {
    return isTaken(this.#own);
  }

  get #own(): string {
    return this.#inside(thisProcess().name);
  }

  #inside(name: string): string {
    return join(this.#folder, name);
  }
}

/** The owners of a folder: one, unless it was tampered with; undefined for no folder. */
function ownersIn(folder: string): Owner[] | undefined {
  const present = foundItself(folder);
  if (present === undefined) return undefined;
  if (!present.isDirectory()) throw notOurs(folder, "it is no directory");
  checkUser(folder, present);
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

/** Another user's folder could lead to any file. @throws FtpullError "file" */
function checkUser(folder: string, present: Stats): void {
  if (writing(folder, () => isOwnUsers(present, () => temporaryPath(folder)))) return;
  const hint = "choose a directory that only you can write to";
  throw cannotWrite(folder, `it belongs to ${userName(present.uid)}`, hint);
}

/** Milliseconds since the last write. */
function silence(folder: string): number {
  const paths = [folder, ...known.map((name) => join(folder, name))];
  return Date.now() - Math.max(...paths.map((path) => found(path)?.mtimeMs ?? -Infinity));
}

/** Error codes where another process was faster with the folder, which may be gone again. */
const lost: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTEMPTY", "EEXIST"]);

/** Makes the folder with its owner in it under another name, and renames it: of several processes one succeeds. */
function make(path: string): boolean {
  const folder = path + folderSuffix;
  const making = temporaryPath(path);
  const owner = join(making, thisProcess().name);
  return writing(path, () => {
    mkdirSync(making, privateMode);
    try {
      writeFileSync(owner, "", { flag: "wx" });
      renameSync(making, folder);
      return true;
    } catch (error) {
      rmSync(owner, { force: true });
      removeEmpty(making);
      if (lost.has(errorCode(error)) || isTaken(folder)) return false;
      throw error;
    }
  });
}

/** Takes the folder of a process that is gone by one rename: of several that find it, one succeeds. */
function takeOver(folder: string, owner: Owner | undefined): boolean {
  return writing(folder, () => {
    // Left by a run that was killed in `remove`, or before it had put its name there.
    if (owner === undefined) {
      removeEmpty(folder);
      return false;
    }
    if (!isSafe(owner)) rmSync(join(folder, "state.json"), { force: true });
    const own = join(folder, thisProcess().name);
    const taken = mayWake(owner) ? join(folder, wakingName()) : own;
    if (!succeeds(() => renameSync(join(folder, owner.name), taken), "ENOENT")) return false;
    ifPossible(() => chmodSync(folder, privateMode)); // whatever it was made with
    if (taken === own) return true;
    try {
      copyData(folder);
    } catch (error) {
      succeeds(() => renameSync(taken, join(folder, owner.name)), "ENOENT");
      throw error;
    }
    return succeeds(() => renameSync(taken, own), "ENOENT");
  });
}

/** Replaces the data by a copy: a process that is asleep elsewhere may have the file open. */
function copyData(folder: string): void {
  const [data, fresh] = [join(folder, "data"), join(folder, "data.new")];
  rmSync(fresh, { force: true });
  if (storedIn(data) === 0) return;
  copyFileSync(data, fresh, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  renameSync(fresh, data);
}

/** Removes the folder unless another process has begun to use it. */
function removeEmpty(folder: string): void {
  succeeds(() => rmdirSync(folder), "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR");
}
