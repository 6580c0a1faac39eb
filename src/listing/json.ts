import type { Decode } from "../text/encoding.ts";
import { jsonString } from "../text/escape.ts";
import { type Entry, entryUrl, timeText } from "./entry.ts";

/** JSON lines of entries, without line ends. All keys are always present; null means unknown. */
export function jsonLines(decode: Decode, directory: string): (entry: Entry) => string {
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
