/** The user of a file: in a directory that all can write to, another user's folder is a trap. */
import { lstatSync, mkdirSync, rmdirSync, type Stats } from "node:fs";
import { ifPossible } from "../file-error.ts";
import { readText } from "./owner.ts";

/**
 * Whether a file is the effective user's. Some file systems give all files one user, or map users: there
 * it is what a folder made beside it gets; `newName` gives a free path for that.
 */
export function isOwnUsers({ uid }: Stats, newName: () => string): boolean {
  const own = process.geteuid?.();
  return own === undefined || uid === own || uid === ifPossible(() => userOfNew(newName()));
}

function userOfNew(path: string): number {
  mkdirSync(path);
  try {
    return lstatSync(path).uid;
  } finally {
    rmdirSync(path);
  }
}

/** The user's name where the system's own list has it, else the number. */
export function userName(uid: number): string {
  const list = readText("/etc/passwd") ?? "";
  const name = new RegExp(String.raw`^([^:\n]+):[^:\n]*:${uid}:`, "m").exec(list)?.[1];
  return name === undefined ? `user ${uid}` : `user "${name}"`;
}
