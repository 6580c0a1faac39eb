/** Two names that are one file here: where case or composed letters make no difference, a second document would replace the first. */
import { basename, dirname } from "node:path";
import { FtpullError } from "../errors.ts";
import { foundExactly } from "./regular-file.ts";

export class NameTaken extends FtpullError {}

/** The names that this run has used in each folder, by their folded form. */
const namesByFolder = new Map<string, Map<string, string>>();

/** Notes that this run has a document for the path. @throws NameTaken if it is, here, the file of another name */
export function claimName(path: string): void {
  const folder = dirname(path);
  const names = namesByFolder.get(fold(folder)) ?? new Map<string, string>();
  namesByFolder.set(fold(folder), names);
  const key = fold(basename(path));
  const first = names.get(key) ?? path;
  if (first !== path && areOneFile(first, path))
    throw new NameTaken("file", `cannot write "${path}": here it is the same file as "${first}"`);
  names.set(key, path);
}

/** Frees memory, when no other documents come to the folder. */
export function forgetNames(folder: string): void {
  namesByFolder.delete(fold(folder));
}

function fold(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function areOneFile(one: string, other: string): boolean {
  const [first, second] = [foundExactly(one), foundExactly(other)];
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
