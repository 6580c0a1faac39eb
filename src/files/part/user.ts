/** The user of a file: in a directory that all can write to, another user's folder is a trap. */
import { lstatSync, mkdirSync, rmdirSync, type Stats } from "node:fs";
import { ifPossible } from "../file-error.ts";
import { readText } from "./owner.ts";

/**
 * True if the file is the effective user's. Where a file system maps users, or has but one, a folder that
 * is made beside the file, at the free path of `newName`, has its user.
 */
export function isOwnUsers({ uid }: Stats, newName: () => string): boolean {
  const own = process.geteuid?.();
  if (own === undefined || uid === own) return true;
  return uid === ifPossible(() => userOfNew(newName()));
}

function userOfNew(path: string): number {
  mkdirSync(path);
  try {
    return lstatSync(path).uid;
  } finally {
    rmdirSync(path);
  }
}

export function userName(uid: number): string {
  const list = readText("/etc/passwd") ?? "";
  const name = new RegExp(String.raw`^([^:\n]+):[^:\n]*:${uid}:`, "m").exec(list)?.[1];
  return name === undefined ? `user ${uid}` : `user "${name}"`;
}
