/** The entries of a directory, and their URLs. */
import { encodeName } from "../text/percent.ts";
import { formatUtc } from "../text/units.ts";

/** "exact" is in UTC with seconds, comparable with MDTM's; without them, the zone is unknown too. */
export type Precision = "exact" | "minute" | "day";

/** An entry of a directory. Texts are octets (latin1), as the server sent them. */
export interface Entry {
  readonly name: string;
  /** "unread": the line could not be parsed, and is the name. */
  readonly type: "file" | "directory" | "link" | "unknown" | "unread";
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
  readonly precision: Precision;
  readonly permissions?: string | undefined;
  readonly owner?: string | undefined;
  readonly group?: string | undefined;
  readonly target?: string | undefined;
  /** MLSD's "unique" fact, the same for all names of a file or directory (RFC 3659 §7.5.2). */
  readonly unique?: string | undefined;
  readonly raw: string;
}

export type LineParser = (line: string) => Entry | undefined;

export type EntryDraft = { -readonly [Field in keyof Entry]: Entry[Field] };

/** Without a name, the line can't be parsed. */
export function unreadEntry(raw: string, name?: string): EntryDraft {
  const type = name === undefined ? "unread" : "unknown";
  return { name: name ?? raw, type, precision: "minute", raw };
}

export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

export function isDotName(name: string): boolean {
  return name === "." || name === "..";
}

export function parseSize(digits: string): number | undefined {
  const size = /^\d+$/.test(digits) ? Number(digits) : NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** ISO 8601, as far as the listing tells it: a zone and seconds, a time of day or the day alone. */
export function timeText(modified: Date, precision: Precision): string {
  const text = formatUtc(modified);
  if (precision === "exact") return text;
  return text.slice(0, precision === "day" ? 10 : 16);
}

/** URL of an entry of `directory`, which ends in a slash; undefined for an unread line. */
export function entryUrl(directory: string, { name, type }: Entry): string | undefined {
  if (type === "unread") return undefined;
  return directory + encodeName(name) + (type === "directory" ? "/" : "");
}
