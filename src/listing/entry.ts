/** The entries of a directory, and their URLs. */
import { encodeName } from "../text/percent.ts";

export type EntryType = "file" | "directory" | "link" | "unknown";

/** An entry of a directory. Texts are octets, one per char (latin1), as the server sent them. */
export interface Entry {
  readonly name: string;
  readonly type: EntryType;
  readonly size: number | undefined;
  readonly modified: Date | undefined;
  /** Whether `modified` is in UTC with seconds, comparable with MDTM; else its zone is unknown. */
  readonly modifiedExact: boolean;
  /** Whether the server gave only the day of `modified`. */
  readonly isDay: boolean;
  /** As in ls: `rw-r--r--`. */
  readonly permissions: string | undefined;
  readonly owner: string | undefined;
  readonly group: string | undefined;
  /** Of a link. */
  readonly target: string | undefined;
  /** The line without its end. */
  readonly raw: string;
  /** False for a line that could not be parsed: its name is the line. */
  readonly isRead: boolean;
}

export type EntryDraft = { -readonly [Field in keyof Entry]: Entry[Field] };

/** An entry with nothing but its name; without one, the line cannot be parsed. */
export function unreadEntry(raw: string, name?: string): EntryDraft {
  return {
    name: name ?? raw,
    type: "unknown",
    size: undefined,
    modified: undefined,
    modifiedExact: false,
    isDay: false,
    permissions: undefined,
    owner: undefined,
    group: undefined,
    target: undefined,
    raw,
    isRead: name !== undefined,
  };
}

/** Such lines name nothing. */
export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

/** `.` and `..` are not entries. */
export function isDotName(name: string): boolean {
  return name === "." || name === "..";
}

/** Undefined unless it is decimal digits and exact as a number. */
export function parseSize(digits: string): number | undefined {
  const size = /^\d+$/.test(digits) ? Number(digits) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/**
 * The URL of an entry of `directory`, whose URL ends in a slash, as a directory's does. It names
 * the octets of the listing, whatever they mean in a URL. Undefined for a line that isn't read.
 */
export function entryUrl(directory: string, { name, type, isRead }: Entry): string | undefined {
  if (!isRead) return undefined;
  return directory + encodeName(name) + (type === "directory" ? "/" : "");
}
