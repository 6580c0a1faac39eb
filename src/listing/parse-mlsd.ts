/** Parses lines of MLSD (RFC 3659 §7). */
import { parseTimeVal } from "../text/time-val.ts";
import {
  isBlank,
  isDotName,
  parseSize,
  unreadEntry,
  type Entry,
  type EntryDraft,
} from "./entry.ts";

/** Undefined for a blank line, the directory itself and its parent. Invalid facts are ignored. */
export function parseMlsdLine(raw: string): Entry | undefined {
  if (isBlank(raw)) return undefined;
  const factsEnd = findFactsEnd(raw);
  if (factsEnd === undefined) return unreadEntry(raw);
  const facts = raw.slice(0, factsEnd);
  const entry = unreadEntry(raw, raw.slice(factsEnd + 1));
  if (isDotName(entry.name) || /(?:^|;)type=[cp]dir(?:;|$)/i.test(facts)) return undefined;
  readFacts(entry, facts);
  return entry;
}

/** The index of the space between facts and name. */
function findFactsEnd(raw: string): number | undefined {
  if (raw.startsWith(" ")) return 0;
  // Pure-FTPd's facts include a link's target, which may contain a space, so the first space
  // behind a semicolon counts. Some servers omit the last semicolon.
  const afterFacts = raw.indexOf("; ");
  const end = afterFacts === -1 ? raw.indexOf(" ") : afterFacts + 1;
  const equals = raw.indexOf("=");
  return equals > 0 && equals < end && end < raw.length - 1 ? end : undefined;
}

function readFacts(entry: EntryDraft, facts: string): void {
  for (let start = 0, end: number; start < facts.length; start = end + 1) {
    end = facts.indexOf(";", start);
    if (end === -1) end = facts.length;
    const equals = facts.indexOf("=", start);
    if (equals > start && equals < end - 1)
      readFact(entry, facts.slice(start, equals).toLowerCase(), facts.slice(equals + 1, end));
  }
}

function readFact(entry: EntryDraft, fact: string, value: string): void {
  switch (fact) {
    case "type":
      return readType(entry, value);
    case "size":
    case "sizd": // Pure-FTPd's, of a directory
      entry.size = parseSize(value);
      return;
    case "modify":
      entry.modified = parseTimeVal(value);
      entry.modifiedExact = entry.modified !== undefined;
      return;
    case "unix.mode":
      if (/^[0-7]+$/.test(value)) entry.permissions = modeLetters(parseInt(value, 8));
      return;
    case "unix.ownername":
      entry.owner = value;
      return;
    case "unix.owner":
    case "unix.uid":
      entry.owner ??= value;
      return;
    case "unix.groupname":
      entry.group = value;
      return;
    case "unix.group":
    case "unix.gid":
      entry.group ??= value;
      return;
  }
}

/**
 * RFC 3659's example writes a link as `OS.unix=slink:/target`, its erratum 1500 as
 * `OS.unix=symlink` without a target. Servers send both, Pure-FTPd either.
 */
function readType(entry: EntryDraft, value: string): void {
  const type = value.toLowerCase();
  const link = /^os\.unix=(?:slink|symlink)(?::|$)/.exec(type);
  if (type === "file") entry.type = "file";
  else if (type === "dir") entry.type = "directory";
  else if (link) {
    entry.type = "link";
    entry.target = value.slice(link[0].length) || undefined;
  }
}

/** Nine letters, with the set-user-ID, set-group-ID and sticky bits. */
function modeLetters(mode: number): string {
  const [user, group, world] = [mode >> 6, mode >> 3, mode];
  return (
    modeTriple(user, mode & 0o4000 ? "s" : "") +
    modeTriple(group, mode & 0o2000 ? "s" : "") +
    modeTriple(world, mode & 0o1000 ? "t" : "")
  );
}

function modeTriple(bits: number, special: "" | "s" | "t"): string {
  const execute = bits & 1 ? special || "x" : special.toUpperCase() || "-";
  return (bits & 4 ? "r" : "-") + (bits & 2 ? "w" : "-") + execute;
}
