/**
 * Temporary names, `.ftpull-` and 16 hexadecimal digits: four tell the machine, six the process, and six are
 * random. No two processes use one name, and a later run finds the leftovers of those that are gone.
 * The random digits are no secret: node:crypto would take 3 ms to load.
 */
import { lstatSync, opendirSync, readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { ifPossible } from "../file-error.ts";
import { temporaryPrefix } from "../names.ts";
import { isAlive, isSilent, parseOwner, thisProcess } from "./owner.ts";
import { isOwnUsers } from "./user.ts";

const pattern = /^\.ftpull-([0-9a-f]{4})([0-9a-f]{6})[0-9a-f]{6}$/;

const searchedFolders = new Set<string>();
const mostSearched = 100;

export function temporaryPath(path: string): string {
  removeLeftovers(path);
  return newName(path);
}

function newName(path: string): string {
  const processDigits = hexadecimal(thisProcess().pid, 6);
  const randomDigits = hexadecimal(Math.random() * 0x1000000, 6);
  const digits = machineDigits() + processDigits + randomDigits;
  return join(dirname(path), temporaryPrefix + digits);
}

function hexadecimal(number: number, digits: number): string {
  return Math.floor(number).toString(16).padStart(digits, "0").slice(-digits);
}

export function removeLeftovers(path: string, now = Date.now()): void {
  const folder = dirname(path);
  if (searchedFolders.has(folder)) return;
  if (searchedFolders.size >= mostSearched) searchedFolders.clear();
  searchedFolders.add(folder);
  // A leftover that can't be read or removed does no harm.
  for (const name of ifPossible(() => temporaryNames(folder)) ?? [])
    ifPossible(() => removeIfLeft(name, join(folder, name), now));
}

/** The temporary names in a folder, which is read in pieces: it may have a million names. */
function temporaryNames(folder: string): string[] {
  const names = [];
  const directory = opendirSync(folder, { bufferSize: 1024 });
  try {
    let entry = directory.readSync();
    while (entry !== null) {
      if (pattern.test(entry.name)) names.push(entry.name);
      entry = directory.readSync();
    }
  } finally {
    directory.closeSync();
  }
  return names;
}

/** Removes a file or folder whose process is gone; one that was only asleep makes it again. */
function removeIfLeft(name: string, path: string, now: number): void {
  const [, machine, number = ""] = pattern.exec(name) ?? [];
  const stats = lstatSync(path);
  const isHere = machine === machineDigits();
  const isLeft = isHere ? !isAlive(Number.parseInt(number, 16)) : isSilent(now - stats.ctimeMs);
  if (isLeft && isOwnUsers(stats, () => newName(path))) remove(path, stats);
}

function remove(path: string, stats: Stats): void {
  if (stats.isFile() || stats.isSymbolicLink()) return rmSync(path);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path))
    if (parseOwner(name) !== undefined) rmSync(join(path, name));
  rmdirSync(path);
}

let knownMachineDigits: string | undefined;

function machineDigits(): string {
  knownMachineDigits ??= hexadecimal(machineNumber(), 4);
  return knownMachineDigits;
}

function machineNumber(): number {
  const { machine, boot } = thisProcess();
  const octets = [...Buffer.from(machine + boot)];
  return octets.reduce((sum, octet) => (sum * 31 + octet) % 0x10000, 0);
}
