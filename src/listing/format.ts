/** The output formats of listings; the table is in table.ts. */
import { escapeControls, jsonString } from "../text/escape.ts";
import type { Entry } from "./entry.ts";
import { ListingTable } from "./table.ts";

export type ListingFormat = "names" | "table" | "json" | "raw";

/** Formats entries one by one, in whole lines that end in LF. */
export interface ListingFormatter {
  /** The encoding of the results: raw lines are octets, all else is text. */
  readonly encoding: "utf8" | "latin1";
  /** The output that this entry makes available; the table holds the first ones back. */
  entry(entry: Entry): string;
  /** Gives what was held back; also for a listing that breaks off. */
  end(): string;
}

/** `decode` converts octets to text. For "raw", the caller passes each line as `unreadEntry`. */
export function listingFormatter(
  format: ListingFormat,
  decode: (octets: string) => string,
): ListingFormatter {
  const show = (octets: string): string => escapeControls(decode(octets));
  switch (format) {
    case "names":
      return lineByLine("utf8", ({ name, type }) => show(name) + (type === "directory" ? "/" : ""));
    case "table":
      return new ListingTable(show);
    case "json": {
      const quote: Quote = (octets) => jsonString(decode(octets));
      // Most lines need no escaping, nor do their parts: JSON.stringify takes twice as long.
      const quoteOf = ({ raw }: Entry): Quote => (isPlain.test(raw) ? inQuotes : quote);
      return lineByLine("utf8", (entry) => jsonLine(entry, quoteOf(entry)));
    }
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

type Quote = (octets: string) => string;

/** One line without its end. All keys are always present; null means unknown. */
function jsonLine(entry: Entry, quote: Quote): string {
  const { modified } = entry;
  return (
    `{"name":${quote(entry.name)},"type":"${entry.type}","size":${entry.size ?? null},` +
    `"modified":${modified === undefined ? null : isoTimeOf(modified)},` +
    `"permissions":${orNull(entry.permissions, quote)},"owner":${orNull(entry.owner, quote)},` +
    `"group":${orNull(entry.group, quote)},"target":${orNull(entry.target, quote)},` +
    `"raw":${quote(entry.raw)}}`
  );
}

function orNull(octets: string | undefined, quote: Quote): string {
  return octets === undefined ? "null" : quote(octets);
}

/** In quotes. Many entries share one Date of the parser. */
const isoTimes = new WeakMap<Date, string>();

function isoTimeOf(date: Date): string {
  const known = isoTimes.get(date);
  if (known !== undefined) return known;
  const text = inQuotes(isoTime(date));
  isoTimes.set(date, text);
  return text;
}

/** As toISOString, in a third of the time. */
function isoTime(date: Date): string {
  const year = date.getUTCFullYear();
  if (year < 1000 || year > 9999 || date.getUTCMilliseconds() !== 0) return date.toISOString();
  const day = `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${year}-${day}T${time}.000Z`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

/** Printable ASCII that needs no escaping in JSON. */
const isPlain = /^[ !#-[\]-~]*$/;

function inQuotes(plain: string): string {
  return `"${plain}"`;
}
