/** Parses lines of MLSD (RFC 3659 §7). */
import { parseTimeVal } from "../text/time-val.ts";
import {
  type Entry,
  type EntryDraft,
  isBlank,
  isDotName,
  type LineParser,
  parseSize,
  unreadEntry,
} from "./entry.ts";

/**
 * The parser of one listing. Blanks before the facts of its first line are before all lines: else a blank
 * stands before a name without facts. Some servers have a line for a link's target, by path, with the link's
 * "unique" fact.
 */
export function mlsdParser(): LineParser {
  let isIndented: boolean | undefined;
  const links = new Set<string | undefined>();
  return (raw) => {
    if (isBlank(raw)) return undefined;
    isIndented = isIndented !== false && /^[ \t]+[^ \t=;]+=.*;[ \t]./.test(raw);
    const entry = parseMlsdLine(raw, isIndented);
    if (entry?.type === "link" && entry.unique !== undefined) links.add(entry.unique);
    const isTarget = entry?.type !== "link" && entry?.name.startsWith("/");
    return isTarget && links.has(entry?.unique) ? undefined : entry;
  };
}

/** Undefined for a blank line, the directory itself and its parent. Invalid facts are ignored. */
export function parseMlsdLine(raw: string, isIndented = false): Entry | undefined {
  if (isBlank(raw)) return undefined;
  const start = isIndented ? raw.search(/[^ \t]/) : 0;
  const factsEnd = findFactsEnd(raw, start);
  if (factsEnd === undefined) return unreadEntry(raw);
  const facts = raw.slice(start, factsEnd);
  const entry = unreadEntry(raw, raw.slice(factsEnd + 1));
  if (isDotName(entry.name) || /(?:^|;)type=[cp]dir(?:;|$)/i.test(facts)) return undefined;
  readFacts(entry, facts);
  return entry;
}

/** The index of the space between facts and name; some servers send a tab. */
function findFactsEnd(raw: string, start: number): number | undefined {
  if (raw.startsWith(" ", start)) return start;
  // Pure-FTPd's link targets may have spaces: the first behind a semicolon counts. Some omit the last semicolon.
  const afterFacts = raw.search(/;[ \t]/);
  const end = afterFacts === -1 ? start + raw.slice(start).search(/[ \t]/) : afterFacts + 1;
  const equals = raw.indexOf("=");
  return equals > start && equals < end && end < raw.length - 1 ? end : undefined;
}

function readFacts(entry: EntryDraft, text: string): void {
  const facts = new Map<string, string>();
  for (const fact of text.split(";")) {
    const equals = fact.indexOf("=");
    const value = fact.slice(equals + 1);
    if (equals > 0 && value !== "") facts.set(fact.slice(0, equals).toLowerCase(), value);
  }
  readType(entry, facts.get("type") ?? "");
  // A link's target with a semicolon is cut: all that follows has no "=".
  if (/;[^;=]+(?:;|$)/.test(text)) entry.target = undefined;
  entry.size = parseSize(facts.get("size") ?? facts.get("sizd") ?? ""); // Pure-FTPd's, of a directory
  entry.modified = parseTimeVal(facts.get("modify") ?? "");
  if (entry.modified !== undefined) entry.precision = "exact";
  entry.unique = facts.get("unique");
  const mode = facts.get("unix.mode") ?? "";
  if (/^[0-7]+$/.test(mode)) entry.permissions = modeLetters(parseInt(mode, 8));
  const accountOf = (kind: string, id: string): string | undefined =>
    facts.get(`unix.${kind}name`) ?? facts.get(`unix.${kind}`) ?? facts.get(`unix.${id}`);
  entry.owner = accountOf("owner", "uid");
  entry.group = accountOf("group", "gid");
}

/** Links are `OS.unix=slink:/target` in RFC 3659's example, `OS.unix=symlink` in its erratum 1500. */
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

function modeLetters(mode: number): string {
  const letters = Array.from("rwxrwxrwx", (letter, at) => (mode & (0o400 >> at) ? letter : "-"));
  const mark = (bit: number, at: number, letter: string): void => {
    if (mode & bit) letters[at] = letters[at] === "x" ? letter : letter.toUpperCase();
  };
  mark(0o4000, 2, "s");
  mark(0o2000, 5, "s");
  mark(0o1000, 8, "t");
  return letters.join("");
}
