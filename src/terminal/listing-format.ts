/** The four ways to show a listing; what a line of each looks like is in the files beside. */

import type { Entry } from "../session/listing/entry.ts";
import { escapeControls } from "./escape.ts";
import { jsonLine } from "./listing-json.ts";
import { ListingTable } from "./listing-table.ts";

export const listingFormats = ["names", "table", "json", "raw"] as const;

export type ListingFormat = (typeof listingFormats)[number];

/** Makes output of entries, one after the other, in whole lines that end in LF. */
export interface ListingFormatter {
  /** How the strings become octets: raw lines are octets already, all else is text. */
  readonly encoding: "utf8" | "latin1";
  /** What can be written now that this entry has come; the table holds the first ones back. */
  entry(entry: Entry): string;
  /** What was held back; call it for a listing that broke off, too. */
  end(): string;
}

/**
 * A formatter for one listing; `decode` turns a server's octets into text. `raw` shows the
 * entries that it gets: for every line of the server, make them by `unreadEntry`.
 */
export function listingFormatter(
  format: ListingFormat,
  decode: (octets: string) => string,
): ListingFormatter {
  const show = (octets: string): string => escapeControls(decode(octets));
  switch (format) {
    case "names":
      return lineByLine("utf8", (entry) => show(entry.name) + typeMark(entry));
    case "table":
      return new ListingTable(show);
    case "json":
      return lineByLine("utf8", (entry) => jsonLine(entry, decode));
    case "raw":
      return lineByLine("latin1", (entry) => entry.raw);
  }
}

function lineByLine(
  encoding: ListingFormatter["encoding"],
  line: (entry: Entry) => string,
): ListingFormatter {
  return { encoding, entry: (entry) => `${line(entry)}\n`, end: () => "" };
}

function typeMark(entry: Entry): string {
  return entry.type === "directory" ? "/" : "";
}
