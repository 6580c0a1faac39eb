/** Parses lines of LIST, in the formats of ls and of IIS. Time grows with the line's length only. */
import { type Entry, isBlank, isDotName, parseSize, unreadEntry } from "./entry.ts";
import { dosDate, gap, type ParseDate, parseDosDate, unixDate } from "./list-date.ts";

export function parseListLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const entry = parseUnixLine(raw, dateOf) ?? parseDosLine(raw);
  if (entry !== undefined) return isDotName(entry.name) ? undefined : entry;
  return isBlank(raw) || heading.test(raw) ? undefined : unreadEntry(raw);
}

const heading = /^total -?\d[\d.,]*\w?[ \r]*$/;

/** A heading of ls in any language, `insgesamt 8`. After an entry, the line may be a name. */
export function isFirstHeading(raw: string): boolean {
  return /^[^ \t\d]+ \d[\d.,]*[a-zA-Z]?[ \r]*$/.test(raw);
}

/**
 * Owner and group may be missing, be numbers or have spaces, and a name may begin with a number and a date: the size
 * is the number before the first complete date.
 */
const accounts = String.raw`(?:[^ \t]+${gap}){0,16}?`;

/** A size, both numbers of a device, or, as Pure-FTPd has it, a large size directly behind a group's name. */
const size = String.raw`\d+(?:,${gap}\d+)?|[^ \t]*[^ \t\d]\d+(?= [A-Z][a-z]{2} [ \d]\d )`;

/** One blank stands behind a date, or two behind AIX's year with one before it; others belong to the name. */
const dateEnd = String.raw`(?<=[^ \t] \d{4})  |[ \t]`;

const unixLine = new RegExp(
  String.raw`^([a-zA-Z-])((?:[r-][w-][xsStTlL-]){3})[.@+]?[ \t]*\d+${gap}(${accounts})(${size})` +
    String.raw`${gap}(${unixDate})(?:${dateEnd})(.+)$`,
);

const unixTypes: Record<string, Entry["type"]> = { "-": "file", d: "directory", l: "link" };

function parseUnixLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const match = unixLine.exec(raw);
  if (match === null) return undefined;
  const [, letter = "", permissions, who = "", sizeText = "", date = "", name = ""] = match;
  const [, owner, group = ""] = ownerAndGroup.exec(who) ?? [];
  const entry: Entry = {
    name,
    type: unixTypes[letter] ?? "unknown",
    size: parseSize(sizeText),
    modified: dateOf(date),
    precision: date.includes(":") ? "minute" : "day",
    permissions,
    owner,
    group: group === "" ? undefined : group,
    raw,
  };
  return entry.type === "link" ? splitLink(entry) : entry;
}

/** An owner whose name has a space is known by two spaces behind the name. */
const ownerAndGroup = /^(.+?(?=[ \t]{2,}[^ \t])|[^ \t]+)[ \t]+(.*?)[ \t]*$/;

const arrow = " -> ";

/** Splits a link at its arrow; among several, the link's size has to be the length of the target. */
function splitLink(link: Entry): Entry {
  const { name, size: length = 0, raw } = link;
  const first = name.indexOf(arrow, 1);
  if (first === -1) return link;
  const at = first === name.lastIndexOf(arrow) ? first : name.length - length - arrow.length;
  if (at <= 0 || !name.startsWith(arrow, at)) return unreadEntry(raw);
  return { ...link, name: name.slice(0, at), target: name.slice(at + arrow.length) };
}

const dosLine = new RegExp(
  String.raw`^(${dosDate})${gap}(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d+))${gap}([^ \t].*)$`,
  "i",
);

function parseDosLine(raw: string): Entry | undefined {
  const match = dosLine.exec(raw);
  if (match === null) return undefined;
  const [, date = "", kind = "", digits = "", text = ""] = match;
  const entry = {
    size: parseSize(digits),
    modified: parseDosDate(date),
    precision: "minute",
    raw,
  } as const;
  if (!/^[JS]/i.test(kind))
    return { ...entry, name: text, type: kind === "" ? "file" : "directory" };
  const [, name = text, target] =
    /^(.+) \[([^[\]]*)\]$/.exec(text) ?? /^(.+?) [=-]> (.+)$/.exec(text) ?? [];
  return { ...entry, name, type: "link", target };
}
