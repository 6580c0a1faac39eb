/** Parses lines of LIST, in the formats of ls and of IIS. Time grows with the line's length only. */
import { type Entry, isBlank, parseSize, unreadEntry } from "./entry.ts";
import { dosDate, gap, parseDosDate, parseUnixDate, unixDate } from "./list-date.ts";

export function parseListLine(raw: string, now: Date): Entry | undefined {
  const entry = parseUnixLine(raw, now) ?? parseDosLine(raw);
  if (entry !== undefined) return entry;
  return isBlank(raw) || heading.test(raw) ? undefined : unreadEntry(raw);
}

/** A heading of ls in any language: `total 8`, `insgesamt 8`, `.:`. */
const heading = /^(?:[^ \t\d]+ -?\d[\d.,]*[a-zA-Z]? *|\.:)$/;

/** The number of links, which may be missing where no other number takes its place. */
const links = String.raw`(?:[ \t]*\d+|(?!${gap}\d+[ \t]))`;

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
  String.raw`^[ \t]*([a-zA-Z-])((?:[r-][w-][xsStTlL-]){3})[.@+]?${links}${gap}(${accounts})(${size})` +
    String.raw`${gap}(${unixDate})(?:${dateEnd})(.+)$`,
);

const unixTypes: Record<string, Entry["type"]> = {
  "-": "file",
  f: "file",
  d: "directory",
  l: "link",
};

function parseUnixLine(raw: string, now: Date): Entry | undefined {
  const match = unixLine.exec(raw);
  if (match === null) return undefined;
  const [, letter = "", permissions, who = "", sizeText = "", date = "", name = ""] = match;
  const [owner, ...groups] = who.split(/[ \t]+/).filter((word) => word !== "");
  const entry: Entry = {
    name,
    type: unixTypes[letter] ?? "unknown",
    size: parseSize(sizeText),
    modified: parseUnixDate(date, now),
    precision: date.includes(":") ? "minute" : "day",
    permissions,
    owner,
    group: groups.length > 0 ? groups.join(" ") : undefined,
    raw,
  };
  return entry.type === "link" ? splitLink(entry) : entry;
}

const arrow = " -> ";

/** Splits a link at its arrow; among several, the link's size has to be the length of the target. */
function splitLink(link: Entry): Entry {
  const { name, size: length = 0, raw } = link;
  const first = name.indexOf(arrow, 1);
  if (first === -1) return link;
  const at = first === name.lastIndexOf(arrow) ? first : name.length - length - arrow.length;
  if (at <= 0 || !name.startsWith(arrow, at)) return unreadEntry(raw);
  return { target: name.slice(at + arrow.length), ...link, name: name.slice(0, at) };
}

/**
 * The gap before a name in the layouts of IIS and dir, where "<DIR>" takes 15 columns, and a size 21 and a space:
 * further spaces belong to the name. In other layouts they don't.
 */
const gapAfterKind = String.raw` +(?<=[^ ](?: {4}| {7}| {9})<.{14})`;
const gapAfterSize = String.raw`(?<=[ \d]{21}) `;

const dosLine = new RegExp(
  String.raw`^(${dosDate})${gap}(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d+))` +
    String.raw`(?:${gapAfterKind}|${gapAfterSize}|${gap}(?=[^ \t]))(.+)$`,
  "i",
);

const dosTypes: Record<string, Entry["type"]> = { "": "file", DIR: "directory" };

function parseDosLine(raw: string): Entry | undefined {
  const match = dosLine.exec(raw);
  if (match === null) return undefined;
  const [, date = "", kind = "", digits = "", text = ""] = match;
  const type = dosTypes[kind.toUpperCase()] ?? "link";
  const { name, target } = type === "link" ? splitDosLink(text) : { name: text };
  const modified = parseDosDate(date);
  return { name, type, size: parseSize(digits), modified, precision: "minute", target, raw };
}

/** IIS shows the target behind an arrow, dir in brackets. */
function splitDosLink(text: string) {
  const [, name = text, target] =
    /^(.+) \[([^[\]]*)\]$/.exec(text) ?? /^(.+?) [=-]> (.+)$/.exec(text) ?? [];
  return { name, target };
}
