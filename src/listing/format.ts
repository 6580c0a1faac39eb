/** The output formats of listings; listing-table.ts has the table. */
import type { Decode } from "../text/encoding.ts";
import { escapeControls, jsonString } from "../text/escape.ts";
import { type Entry, entryUrl, timeText } from "./entry.ts";
import { ListingTable } from "./listing-table.ts";

export type ListingFormat = "names" | "table" | "json" | "urls" | "raw";

/** Formats entries one by one, in whole lines that end in LF. `end` gives held-back rows, also of a broken listing. */
export interface ListingFormatter {
  /** True if it takes each line as `unreadEntry`, and gives octets; all else is text. */
  readonly isRaw?: boolean;
  entry(entry: Entry): string;
  skipped?(line: string): void;
  end?(): string;
}

/** `directory` is a URL; `unread` gets lines that would be taken for names. */
export function listingFormatter(
  format: ListingFormat,
  decode: Decode,
  directory: string,
  unread?: (line: string) => void,
): ListingFormatter {
  const show = (octets: string): string => escapeControls(decode(octets));
  switch (format) {
    case "names":
      return lineByLine(({ name, type }) => show(name) + (type === "directory" ? "/" : ""), unread);
    case "table":
      return new ListingTable(show);
    case "json":
      return lineByLine(jsonLines(decode, directory));
    case "urls":
      // An unread line is shown as a comment, which --input-file skips.
      return lineByLine((entry) => entryUrl(directory, entry) ?? `# ${show(entry.raw)}`);
    case "raw":
      return { isRaw: true, entry: ({ raw }) => `${raw}\n` };
  }
}

function lineByLine(line: (entry: Entry) => string, unread?: (line: string) => void) {
  const entry = (entry: Entry): string => {
    if (unread === undefined || entry.type !== "unread") return `${line(entry)}\n`;
    unread(entry.raw);
    return "";
  };
  return { entry };
}

/** JSON lines of entries, without line ends. All keys are always present; null means unknown. */
function jsonLines(decode: Decode, directory: string): (entry: Entry) => string {
  const quoted: Decode = (octets) => jsonString(decode(octets));
  return (entry) => {
    const { type, modified, precision } = entry;
    // Most lines need no escaping, nor do their parts: JSON.stringify takes twice as long.
    const quote = isPlain.test(entry.raw) ? inQuotes : quoted;
    const url = entryUrl(directory, entry);
    const time = modified && timeText(modified, precision);
    return (
      `{"url":${orNull(url, inQuotes)},"name":${quote(entry.name)},` +
      `"type":"${type === "unread" ? "unknown" : type}",` +
      `"size":${entry.size ?? null},"modified":${orNull(time, inQuotes)},` +
      `"permissions":${orNull(entry.permissions, quote)},"owner":${orNull(entry.owner, quote)},` +
      `"group":${orNull(entry.group, quote)},"target":${orNull(entry.target, quote)},` +
      `"raw":${quote(entry.raw)}}`
    );
  };
}

function orNull(octets: string | undefined, quote: Decode): string {
  return octets === undefined ? "null" : quote(octets);
}

const isPlain = /^[ !#-[\]-~]*$/;

function inQuotes(plain: string): string {
  return `"${plain}"`;
}
