/** Lines of the scripted server's LIST, MLSD and MLST: octets without line ends. */

import type { DirectoryEntry, EntryOrLink } from "./tree.ts";

export function listLines(entries: Iterable<[string, EntryOrLink]>): string[] {
  return Array.from(entries, ([name, entry]) => {
    const size = String(sizeOf(entry)).padStart(12);
    const target = entry.kind === "link" ? ` -> ${entry.target}` : "";
    return `${permissions[entry.kind]}    1 ftp      ftp  ${size} ${listDate(entry.modified)} ${name}${target}`;
  });
}

const permissions = { file: "-rw-r--r--", directory: "drwxr-xr-x", link: "lrwxrwxrwx" };

export function mlsdLines(directory: DirectoryEntry): string[] {
  const modify = `modify=${timeValue(directory.modified)};`;
  const own = [`type=cdir;${modify}perm=el; .`, `type=pdir;${modify}perm=el; ..`];
  return [...own, ...Array.from(directory.entries, ([name, entry]) => mlstLine(name, entry))];
}

export function mlstLine(name: string, entry: EntryOrLink): string {
  const facts = {
    directory: "type=dir;perm=el;",
    file: `type=file;size=${sizeOf(entry)};perm=r;`,
    link: `type=OS.unix=slink:${entry.kind === "link" ? entry.target : ""};`,
  }[entry.kind];
  return `${facts}modify=${timeValue(entry.modified)}; ${name}`;
}

/** A date as MDTM and MLSD write it: YYYYMMDDHHMMSS in UTC (RFC 3659 §2.3). */
export function timeValue(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/\D/g, "");
}

function sizeOf(entry: EntryOrLink): number {
  if (entry.kind === "link") return entry.target.length;
  return entry.kind === "directory" ? 4096 : entry.size;
}

function listDate(date: Date): string {
  const [, day = "", month = "", year = "", time = ""] = date.toUTCString().split(" ");
  const halfYearMs = 182 * 24 * 3600 * 1000;
  const isRecent = Math.abs(Date.now() - date.getTime()) < halfYearMs;
  return `${month} ${day} ${isRecent ? time.slice(0, 5) : year.padStart(5)}`;
}
