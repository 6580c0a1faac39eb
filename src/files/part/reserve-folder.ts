/**
 * Reserves a folder `NAME.ftpull` for this process: makes the folder, or takes it over from a process that is gone.
 * Where several processes try, the rename of one succeeds.
 */
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { noteFile, notedPath } from "../claims.ts";
import { cannotWrite, hasCode, ifPossible, succeeds, withWriteErrors } from "../file-error.ts";
import { entriesOf, makeFolder } from "../folder.ts";
import { folderSuffix } from "../names.ts";
import { found, foundExactly, foundItself, isTaken } from "../regular-file.ts";
import { copyAnew } from "./data-file.ts";
import { isRunning, isOnDisk, type Owner, parseOwner, takingName, thisProcess } from "./owner.ts";
import { temporaryPath } from "./temporary.ts";
import { isOwnUsers, userName } from "./user.ts";

export const contentNames: readonly string[] = ["data", "data.new", "state.json", "state.new"];

const privateMode = 0o700;

const mostAttempts = 20;

/**
 * Reserves the folder for this process, or returns the reason why a process has it: perhaps this one, under
 * another name of the same file. @throws FtpullError "file" if another program's file is there
 */
export function reserveFolder(path: string): string | undefined {
  const folder = path + folderSuffix;
  makeFolder(dirname(path));
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const owners = ownersIn(folder);
    const running = owners?.find((owner) => isRunning(owner, () => silenceMs(folder)));
    if (running?.pid === process.pid) return `this run is writing it as "${notedPath(folder)}"`;
    if (running !== undefined) return `process ${running.pid} is writing it`;
    const isReserved = owners === undefined ? make(path) : takeOver(folder, owners[0]);
    if (isReserved) {
      const reserved = foundExactly(folder);
      if (reserved !== undefined) noteFile(path, reserved);
      return undefined;
    }
  }
  throw cannotWrite(path, `other processes go on changing "${folder}"`);
}

/** Stored octets; 0 for a file with a second name, which was published before a run was killed. */
export function storedIn(path: string): number {
  const data = foundItself(path);
  return data?.isFile() && data.nlink < 2 ? data.size : 0;
}

/** The owners of a folder: one, unless it was tampered with; undefined if there is no folder. */
function ownersIn(folder: string): Owner[] | undefined {
  const present = foundItself(folder);
  if (present === undefined) return undefined;
  if (!present.isDirectory()) throw notOurs(folder, "it is no directory");
  checkUser(folder, present);
  const names = entriesOf(folder).map(({ name }) => name);
  const others = names.filter((name) => !contentNames.includes(name));
  const strange = others.find((name) => parseOwner(name) === undefined);
  if (strange !== undefined) throw notOurs(folder, `it has "${strange}"`);
  if (names.length > 0 && others.length === 0) throw notOurs(folder, "it has no owner");
  return others.toSorted().flatMap((name) => parseOwner(name) ?? []);
}

function notOurs(folder: string, because: string): Error {
  const hint = "move it away: names that end in .ftpull are this program's";
  return cannotWrite(folder, `another program has put it there: ${because}`, hint);
}

/** Refuses another user's folder, which could lead to any file. */
function checkUser(folder: string, present: Stats): void {
  if (withWriteErrors(folder, () => isOwnUsers(present, () => temporaryPath(folder)))) return;
  const hint = "choose a directory that only you can write to";
  throw cannotWrite(folder, `it belongs to ${userName(present.uid)}`, hint);
}

function silenceMs(folder: string): number {
  const paths = [folder, ...contentNames.map((name) => join(folder, name))];
  const times = paths.map((path) => found(path)?.mtimeMs ?? -Infinity);
  return Date.now() - Math.max(...times);
}

function make(path: string): boolean {
  const folder = path + folderSuffix;
  const making = temporaryPath(path);
  const owner = join(making, thisProcess().name);
  return withWriteErrors(path, () => {
    mkdirSync(making, privateMode);
    try {
      writeFileSync(owner, "", { flag: "wx" });
      renameSync(making, folder);
      return true;
    } catch (error) {
      rmSync(owner, { force: true });
      removeEmpty(making);
      // Another process's folder may be gone again.
      const wasThere = hasCode(error, "ENOENT", "ENOTEMPTY", "EEXIST") || isTaken(folder);
      if (!wasThere) throw error;
      return false;
    }
  });
}

/** False if the folder was given up or taken over meanwhile: the caller looks again. */
function takeOver(folder: string, owner: Owner | undefined): boolean {
  return withWriteErrors(folder, () => {
    if (owner === undefined) {
      removeEmpty(folder); // A run was killed when it had removed its name, or before it had put it there.
      return false;
    }
    if (!isOnDisk(owner)) rmSync(join(folder, "state.json"), { force: true });
    const own = join(folder, thisProcess().name);
    const taken = join(folder, takingName(owner));
    if (!succeeds(() => renameSync(join(folder, owner.name), taken), "ENOENT")) return false;
    ifPossible(() => chmodSync(folder, privateMode)); // Another run may have made it with other permissions.
    if (taken === own) return true;
    copyData(folder);
    return succeeds(() => renameSync(taken, own), "ENOENT");
  });
}

/** Copies the octets out of reach of a process that is asleep elsewhere with the file open. */
function copyData(folder: string): void {
  const data = join(folder, "data");
  const fresh = join(folder, "data.new");
  if (storedIn(data) === 0) return;
  copyAnew(data, fresh);
  renameSync(fresh, data);
}

export function removeEmpty(folder: string): void {
  succeeds(() => rmdirSync(folder), "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR");
}
