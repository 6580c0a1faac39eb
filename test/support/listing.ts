/**
 * What the scripted server sends for LIST, NLST, MLSD and MLST: lines of octets without line ends.
 */

import type { DirectoryEntry, Entry } from "./tree.ts";

/** The lines of LIST, as `ls -l` writes them. */
export function listLines(entries: Iterable<[string, Entry]>): string[] {
  return Array.from(entries, ([name, entry]) => {
    const mode = entry.kind === "directory" ? "drwxr-xr-x" : "-rw-r--r--";
    const size = String(sizeOf(entry)).padStart(12);
    return `${mode}    1 ftp      ftp  ${size} ${listDate(entry.modified)} ${name}`;
  });
}

/** The lines of MLSD (RFC 3659 §7), which name the directory itself and the one above it too. */
export function mlsdLines(directory: DirectoryEntry): string[] {
  const modify = `modify=${timeValue(directory.modified)};`;
  const own = [`type=cdir;${modify}perm=el; .`, `type=pdir;${modify}perm=el; ..`];
  return [...own, ...Array.from(directory.entries, ([name, entry]) => mlstLine(name, entry))];
}

/** One entry with its facts. */
export function mlstLine(name: string, entry: Entry): string {
  const facts =
    entry.kind === "directory" ? "type=dir;perm=el;" : `type=file;size=${entry.size};perm=r;`;
  return `${facts}modify=${timeValue(entry.modified)}; ${name}`;
}

/** A date as MDTM and MLSD write it: YYYYMMDDHHMMSS in UTC (RFC 3659 §2.3). */
export function timeValue(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/\D/g, "");
}

function sizeOf(entry: Entry): number {
  return entry.kind === "directory" ? 4096 : entry.size;
}

function listDate(date: Date): string {
  const [, day = "", month = "", year = "", time = ""] = date.toUTCString().split(" ");
  const halfYearMs = 182 * 24 * 3600 * 1000;
  const recent = Math.abs(Date.now() - date.getTime()) < halfYearMs;
  return `${month} ${day} ${recent ? time.slice(0, 5) : year.padStart(5)}`;
}
