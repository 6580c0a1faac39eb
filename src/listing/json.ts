/** A listing as JSON: one object a line. */
import { jsonString } from "../text/escape.ts";
import { formatUtc } from "../text/units.ts";
import { type Entry, entryUrl } from "./entry.ts";

/** Makes the lines, without their ends. All keys are always present; null means unknown. */
export function jsonLines(
  decode: (octets: string) => string,
  directory: string,
): (entry: Entry) => string {
  const quote: Quote = (octets) => jsonString(decode(octets));
  return (entry) => {
    // Most lines need no escaping, nor do their parts: JSON.stringify takes twice as long.
    const quoted = isPlain.test(entry.raw) ? inQuotes : quote;
    return jsonLine(entry, entryUrl(directory, entry), quoted);
  };
}

type Quote = (octets: string) => string;

function jsonLine(entry: Entry, url: string | undefined, quote: Quote): string {
  const { modified } = entry;
  return (
    `{"url":${orNull(url, inQuotes)},"name":${quote(entry.name)},"type":"${entry.type}",` +
    `"size":${entry.size ?? null},` +
    `"modified":${modified === undefined ? "null" : timeOf(modified, entry)},` +
    `"permissions":${orNull(entry.permissions, quote)},"owner":${orNull(entry.owner, quote)},` +
    `"group":${orNull(entry.group, quote)},"target":${orNull(entry.target, quote)},` +
    `"raw":${quote(entry.raw)}}`
  );
}

function orNull(octets: string | undefined, quote: Quote): string {
  return octets === undefined ? "null" : quote(octets);
}

/** In quotes. Many entries share one Date of the parser. */
const times = new WeakMap<Date, string>();

function timeOf(modified: Date, entry: Entry): string {
  const known = times.get(modified);
  if (known !== undefined) return known;
  const text = inQuotes(isoTime(modified, entry));
  times.set(modified, text);
  return text;
}

/** What the server didn't give is left out: zone and seconds, or the time of day. */
function isoTime(modified: Date, { modifiedExact, isDay }: Entry): string {
  const text = formatUtc(modified);
  if (modifiedExact) return text;
  return text.slice(0, isDay ? 10 : 16);
}

/** Printable ASCII that needs no escaping in JSON. */
const isPlain = /^[ !#-[\]-~]*$/;

function inQuotes(plain: string): string {
  return `"${plain}"`;
}
