/** The output formats of listings. */
import type { Decode } from "../text/encoding.ts";
import { escapeControls, jsonString } from "../text/escape.ts";
import { utf8Octets } from "../text/percent.ts";
import { formatLocal, formatOctets } from "../text/units.ts";
import { type Entry, entryUrl, timeText } from "./entry.ts";

export type ListingFormat = "names" | "table" | "json" | "urls" | "raw";

/**
 * `entry` returns whole lines, or "" for an entry that is shown otherwise; `end` returns what is left after the last
 * entry. With `isRaw` lines are shown as the server sent them: entries are from `unreadEntry`, and `entry` returns
 * octets, not text.
 */
export interface ListingFormatter {
  readonly isRaw?: boolean;
  entry(entry: Entry): string;
  end?(): string;
}

/**
 * `directoryUrl` ends in a slash. With "names", `unread` gets lines that would be taken for names. On a terminal
 * not even a raw listing has control characters.
 */
export function listingFormatter(
  format: ListingFormat,
  decode: Decode,
  directoryUrl: string,
  {
    unread,
    isOnTerminal = false,
  }: { unread?: (line: string) => void; isOnTerminal?: boolean } = {},
): ListingFormatter {
  const show = (octets: string): string => escapeControls(decode(octets));
  switch (format) {
    case "names":
      return lineByLine(({ name, type }) => show(name) + (type === "directory" ? "/" : ""), unread);
    case "table":
      return table(show);
    case "json":
      return lineByLine((entry) => jsonLine(entry, decode, directoryUrl));
    case "urls":
      // An unread line is shown as a comment, which --input-file skips.
      return lineByLine((entry) => entryUrl(directoryUrl, entry) ?? `# ${show(entry.raw)}`);
    case "raw":
      return { isRaw: true, entry: ({ raw }) => `${isOnTerminal ? utf8Octets(show(raw)) : raw}\n` };
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
  const text = (octets?: string) => (octets === undefined ? null : decode(octets));
  return jsonString({
    url: entryUrl(directoryUrl, entry) ?? null,
    name: text(entry.name),
    type: type === "unread" ? "unknown" : type,
    size: size ?? null,
    modified: modified === undefined ? null : timeText(modified, precision),
    permissions: text(entry.permissions),
    owner: text(entry.owner),
    group: text(entry.group),
    target: text(entry.target),
    raw: text(entry.raw),
  });
}

const typeLetters = {
  file: "-",
  directory: "d",
  link: "l",
  itself: "d",
  unknown: "?",
  unread: "?",
};

/** A table for a person, sorted by name: all rows are held until the end. `-` is unknown. */
function table(show: (octets: string) => string): ListingFormatter {
  const entries: Entry[] = [];
  return {
    entry: (entry) => {
      entries.push(entry);
      return "";
    },
    end: () => {
      const sorted = entries.splice(0).sort((one, other) => (one.name < other.name ? -1 : 1));
      return sorted.map((entry) => `${tableRow(entry, show)}\n`).join("");
    },
  };
}

function tableRow(entry: Entry, show: (octets: string) => string): string {
  const kind = typeLetters[entry.type] + (entry.permissions ?? "");
  const size = entry.size === undefined ? "-" : shortSize(entry.size);
  const [date = "-", time = "-"] = dateAndTime(entry);
  const target = entry.target === undefined ? "" : ` -> ${show(entry.target)}`;
  const columns = [kind.padEnd(10), size.padStart(5), `${date.padEnd(10)} ${time.padEnd(5)}`];
  return [...columns, show(entry.name) + target].join("  ");
}

function dateAndTime({ modified, precision }: Entry): string[] {
  if (modified === undefined) return [];
  return precision === "exact"
    ? formatLocal(modified).split(" ")
    : timeText(modified, precision).split("T");
}

/** A size in at most five columns, like that of `ls -h`: `532`, `1.4K`, `23.0M`. */
function shortSize(octets: number): string {
  return formatOctets(octets).replace(/ (?:(.)i)?B$/, "$1");
}
