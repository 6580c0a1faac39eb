/** The entries of a directory, and their URLs. */
import { encodeName } from "../text/percent.ts";
import { formatUtc } from "../text/units.ts";

/** "exact" is a time in UTC with seconds, comparable with MDTM's; the other times are in an unknown zone. */
type Precision = "exact" | "minute" | "day";

/**
 * An entry of a directory. Texts are octets (latin1), as the server sent them; an "unread" entry has a whole line,
 * which could not be parsed, as its name. "itself" is the listed directory, which no format shows.
 */
export interface Entry {
  readonly name: string;
  readonly type: "file" | "directory" | "link" | "unknown" | "unread" | "itself";
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

/** Returns undefined for a line that stands for no entry, such as `total 8`. */
export type LineParser = (line: string) => Entry | undefined;

export function unreadEntry(raw: string): Entry {
  return bareEntry(raw, raw, "unread");
}

export function bareEntry(raw: string, name: string, type: Entry["type"]): Entry {
  return { name, type, precision: "minute", raw };
}

export function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line);
}

export function parseSize(digits = ""): number | undefined {
  if (!/^\d+$/.test(digits)) return undefined;
  const size = Number(digits);
  return Number.isSafeInteger(size) ? size : undefined;
}

export function timeText(modified: Date, precision: Precision): string {
  const text = formatUtc(modified);
  if (precision === "exact") return text;
  const shown = precision === "day" ? "2026-11-21" : "2026-11-21T07:30";
  return text.slice(0, shown.length);
}

export function entryUrl(directoryUrl: string, { name, type }: Entry): string | undefined {
  if (type === "unread") return undefined;
  return directoryUrl + encodeName(name) + (type === "directory" ? "/" : "");
}
