/** The output formats of listings; listing-table.ts has the table. */
import type { Decode } from "../text/encoding.ts";
import { escapeControls, jsonString } from "../text/escape.ts";
import { type Entry, entryUrl, timeText } from "./entry.ts";
import { tableRow } from "./listing-table.ts";

export type ListingFormat = "names" | "table" | "json" | "urls" | "raw";

/**
 * `entry` returns whole lines, or "" for an entry that is shown otherwise; `skipped` gets a line that is no entry.
 * With `isRaw` lines are shown as the server sent them: entries are from `unreadEntry`, and `entry` returns
 * octets, not text.
 */
export interface ListingFormatter {
  readonly isRaw?: boolean;
  entry(entry: Entry): string;
  skipped?(line: string): void;
}

/** `directoryUrl` ends in a slash. With "names", `unread` gets lines that would be taken for names. */
export function listingFormatter(
  format: ListingFormat,
  decode: Decode,
  directoryUrl: string,
  unread?: (line: string) => void,
): ListingFormatter {
  const show = (octets: string): string => escapeControls(decode(octets));
  switch (format) {
    case "names":
      return lineByLine(({ name, type }) => show(name) + (type === "directory" ? "/" : ""), unread);
    case "table":
      return lineByLine((entry) => tableRow(entry, show));
    case "json":
      return lineByLine((entry) => jsonLine(entry, decode, directoryUrl));
    case "urls":
      // An unread line is shown as a comment, which --input-file skips.
      return lineByLine((entry) => entryUrl(directoryUrl, entry) ?? `# ${show(entry.raw)}`);
    case "raw":
      return { isRaw: true, entry: ({ raw }) => `${raw}\n` };
  }
}

function lineByLine(
  format: (entry: Entry) => string,
  unread?: (line: string) => void,
): ListingFormatter {
  return {
    entry: (entry) => {
      if (unread === undefined || entry.type !== "unread") return `${format(entry)}\n`;
      unread(entry.raw);
      return "";
    },
  };
}

function jsonLine(entry: Entry, decode: Decode, directoryUrl: string): string {
  const { type, size, modified, precision } = entry;
  const url = entryUrl(directoryUrl, entry);
  // Most lines have nothing to escape, and so neither have their parts: JSON.stringify takes twice the time.
  const isPlain = plainInJson.test(entry.raw);
  const json = (octets: string): string =>
    isPlain ? inQuotes(octets) : jsonString(decode(octets));
  return (
    `{"url":${orNull(url, inQuotes)},` + // URLs are percent-encoded.
    `"name":${json(entry.name)},` +
    `"type":"${type === "unread" ? "unknown" : type}",` +
    `"size":${size ?? "null"},` +
    `"modified":${orNull(modified, (time) => inQuotes(timeText(time, precision)))},` +
    `"permissions":${orNull(entry.permissions, json)},` +
    `"owner":${orNull(entry.owner, json)},` +
    `"group":${orNull(entry.group, json)},` +
    `"target":${orNull(entry.target, json)},` +
    `"raw":${json(entry.raw)}}`
  );
}

const plainInJson = /^[ !#-[\]-~]*$/;

function inQuotes(plain: string): string {
  return `"${plain}"`;
}

function orNull<Value>(value: Value | undefined, json: (value: Value) => string): string {
  return value === undefined ? "null" : json(value);
}
