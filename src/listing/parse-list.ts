/** Parses lines of LIST, in the formats of ls and DOS. Time grows with the line's length only. */
import { bareEntry, type Entry, isBlank, isDotName, parseSize, unreadEntry } from "./entry.ts";
import { dosDate, gap, type ParseDate, parseDosDate, unixDate } from "./list-date.ts";

export function parseListLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const entry = parseUnixLine(raw, dateOf) ?? parseDosLine(raw) ?? parseUnknownLine(raw);
  if (entry !== undefined) return isDotName(entry.name) ? undefined : entry;
  return isBlank(raw) || heading.test(raw) ? undefined : unreadEntry(raw);
}

const heading = /^total -?\d[\d.,]*\w?[ \r]*$/;

const totalInAscii =
  "tota\\w*|insgesamt|gesamt|summe?|razem|celk[eo]m|ukupno|skup\\w+|toplam|kokku|viso|guztira|jumlah|i alt";
const firstHeading = new RegExp(
  String.raw`^(?:\.:|(?:${totalInAscii}|[^ \t\d]*[^ -~\t][^ \t\d]*) \d[\d.,]*[a-z]?)[ \r]*$`,
  "i",
);

/** True for a heading of ls in any language, `insgesamt 8` or `.:`. After an entry, the line may be a name. */
export function isFirstHeading(raw: string): boolean {
  return firstHeading.test(raw);
}

/** Permissions: nine letters; some servers cut up to four of them off. */
const modeForm = "(?:[r-][w-][xsStTlL-]){3}|[r-][w-][xsStTlL-][r-][w-][xsStTlL-]?[r-]?[w-]?";

/**
 * Links, owner and group. Old Macintosh servers have "folder" for the number of links. All may be missing, owner and
 * group may be numbers or have spaces, and a name may begin with a number and a date: the size is the number before
 * the first complete date, which has a month's name, hyphens or a clock.
 */
const linksForm = String.raw`[ \t]*\d+|${gap}folder|(?!${gap}\d+[ \t])`;
const accountsForm = String.raw`(?:[^ \t]+${gap}){0,16}?`;

/** A size: a number, both numbers of a device, a number with a unit, or one directly behind a group's name. */
const sizeForm =
  String.raw`\d[\d.,]*(?:,${gap}\d+|[kKMGTPE]?i?[bB]?)|` +
  String.raw`[^ \t]*[^ \t\d]\d+(?= [A-Z][a-z]{2} [ \d]\d )`;

/**
 * The blank behind a date is one space or TAB, or two spaces behind AIX's year with one before it; others belong to
 * the name. A name may end in CR, on Mac OS.
 */
const dateEnd = String.raw`(?<=[^ \t] \d{4})  |[ \t]`;

const unixLine = new RegExp(
  String.raw`^[ \t]*([a-zA-Z-])(${modeForm})[.@+]{0,2}(?:${linksForm})${gap}(${accountsForm})` +
    String.raw`(${sizeForm})${gap}(${unixDate})(?:${dateEnd})(?!\.\.?\r)(.+\r?)$`,
);

const unixTypes: Record<string, Entry["type"]> = {
  "-": "file",
  f: "file",
  d: "directory",
  l: "link",
  e: "link", // z/OS's external links
};

function parseUnixLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const match = unixLine.exec(raw);
  if (match === null) return undefined;
  const [, letter = "", mode = "", accounts = "", size = "", date = "", name = ""] = match;
  const [, owner, group = ""] = ownerAndGroup.exec(accounts) ?? [];
  const entry: Entry = {
    name,
    type: unixTypes[letter] ?? "unknown",
    size: parseSize(size),
    modified: dateOf(date),
    precision: date.includes(":") ? "minute" : "day",
    permissions: mode.length === 9 ? mode : undefined,
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
  const { name, size } = link;
  const first = name.indexOf(arrow, 1);
  if (first === -1) return link;
  if (first === name.lastIndexOf(arrow)) return splitAt(link, first);
  if (size === undefined) return unreadEntry(link.raw);
  const bySize = name.length - size - arrow.length;
  const isArrow = bySize > 0 && name.startsWith(arrow, bySize);
  return isArrow ? splitAt(link, bySize) : unreadEntry(link.raw);
}

function splitAt(link: Entry, arrowAt: number): Entry {
  const { name } = link;
  return { ...link, name: name.slice(0, arrowAt), target: name.slice(arrowAt + arrow.length) };
}

/**
 * The gap before a name in `12-31-99  12:05AM       <DIR>          name`. In the layouts of IIS and dir, "<DIR>" takes
 * 15 columns, and a size 21 and a space: further spaces belong to the name, in other layouts they don't.
 */
const gapAfterKind = String.raw` +(?<=[^ ](?: {4}| {7}| {9})<.{14})`;
const gapAfterSize = String.raw`(?<=[ \d.,]{21}) `;

const dosLine = new RegExp(
  String.raw`^(${dosDate})${gap}(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d[\d.,]*))` +
    String.raw`(?:${gapAfterKind}|${gapAfterSize}|${gap}(?=[^ \t]))(.+\r?)$`,
  "i",
);

const dosTypes: Record<string, Entry["type"]> = {
  DIR: "directory",
  JUNCTION: "link",
  SYMLINK: "link",
  SYMLINKD: "link",
};

function parseDosLine(raw: string): Entry | undefined {
  const match = dosLine.exec(raw);
  if (match === null) return undefined;
  const [, date = "", kind = "", size = "", text = ""] = match;
  const type = dosTypes[kind.toUpperCase()] ?? "file";
  const { name, target } = type === "link" ? splitDosLink(text) : { name: text };
  const modified = parseDosDate(date);
  return { name, type, size: parseSize(size), modified, precision: "minute", target, raw };
}

function splitDosLink(text: string) {
  const [, name = text, target] =
    /^(.+) \[([^[\]]*)\]$/.exec(text) ?? /^(.+?) [=-]> (.+)$/.exec(text) ?? [];
  return { name, target };
}

/** Line of ls for an entry that it can't examine: `?????????? ? ? ?      ?            ? name`. */
const unknownLine = /^([a-zA-Z?-])\?{9}[.@+]?(?:[ \t]+\?){5} (.+)$/;

function parseUnknownLine(raw: string): Entry | undefined {
  const [, letter = "", name] = unknownLine.exec(raw) ?? [];
  return name === undefined ? undefined : bareEntry(raw, name, unixTypes[letter] ?? "unknown");
}
