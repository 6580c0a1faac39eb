/** Parses lines of LIST, in the formats of ls and DOS. Time grows with the line's length only. */
import { type Entry, isBlank, isDotName, parseSize, unreadEntry } from "./entry.ts";
import { dosDate, type ParseDate, parseDosDate, unixDate } from "./list-date.ts";

/** Undefined for a blank line, `.`, `..` and `total 123`; `dateOf` parses the dates of ls. */
export function parseListLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const entry = parseUnixLine(raw, dateOf) ?? parseDosLine(raw) ?? parseUnknownLine(raw);
  if (entry !== undefined) return isDotName(entry.name) ? undefined : entry;
  return isBlank(raw) || heading.test(raw) ? undefined : unreadEntry(raw);
}

const heading = /^total -?\d[\d.,]*\w?[ \r]*$/;

/** "Total" in languages that need no other octets than ASCII. */
const total =
  "tota\\w*|insgesamt|gesamt|summe?|razem|celk[eo]m|ukupno|skup\\w+|toplam|kokku|viso|guztira|jumlah|i alt";
const firstLine = new RegExp(
  String.raw`^(?:\.:|(?:${total}|[^ \t\d]*[^ -~\t][^ \t\d]*) \d[\d.,]*[a-z]?)[ \r]*$`,
  "i",
);

/** True for a heading of ls in any language, `insgesamt 8` or `.:`. After an entry, the line may be a name. */
export function isFirstHeading(raw: string): boolean {
  return firstLine.test(raw);
}

/** Nine letters; some servers cut up to four of them off. */
const permissions = "(?:[r-][w-][xsStTlL-]){3}|[r-][w-][xsStTlL-][r-][w-][xsStTlL-]?[r-]?[w-]?";

/** A number, both numbers of a device, a number with a unit, or one directly behind a group's name. */
const size =
  String.raw`\d[\d.,]*(?:,[ \t]+\d+|[kKMGTPE]?i?[bB]?)|` +
  String.raw`[^ \t]*[^ \t\d]\d+(?= [A-Z][a-z]{2} [ \d]\d )`;

/**
 * Permissions, links, owner, group, size, date, name. Owner and group may be numbers, have spaces or be
 * missing, and a name may begin with a number and a date: the size is the number before the first complete
 * date, which has a month's name, hyphens or a clock. One space follows the date, two behind AIX's year with
 * one space before it; others belong to the name. Old Macintosh servers have "folder" for the number of
 * links; Mac OS has names that end in CR.
 */
const unixLine = new RegExp(
  String.raw`^[ \t]*([a-zA-Z-])(${permissions})[.@+]{0,2}` +
    String.raw`(?:[ \t]*\d+|[ \t]+folder|(?![ \t]+\d+[ \t]))[ \t]+` +
    String.raw`((?:[^ \t]+[ \t]+){0,16}?)` +
    String.raw`(${size})[ \t]+` +
    String.raw`(${unixDate})(?:(?<=[^ \t] \d{4})  | )(?!\.\.?\r)(.+\r?)$`,
);

const unixTypes: Record<string, Entry["type"]> = {
  "-": "file",
  f: "file",
  d: "directory",
  l: "link",
  e: "link", // z/OS's external links
};

function parseUnixLine(raw: string, dateOf: ParseDate): Entry | undefined {
  const [, letter = "", permissions, accounts = "", size = "", date = "", name] =
    unixLine.exec(raw) ?? [];
  if (name === undefined) return undefined;
  const entry = unreadEntry(raw, name);
  entry.type = unixTypes[letter] ?? "unknown";
  entry.size = parseSize(size);
  entry.modified = dateOf(date);
  if (!date.includes(":")) entry.precision = "day";
  if (permissions?.length === 9) entry.permissions = permissions;
  const [, owner, group] = ownerAndGroup.exec(accounts) ?? [];
  entry.owner = owner;
  entry.group = group || undefined;
  return entry.type === "link" ? splitLink(entry) : entry;
}

/** An owner whose name has a space is known by two spaces behind the name. */
const ownerAndGroup = /^(.+?(?=[ \t]{2,}[^ \t])|[^ \t]+)[ \t]+(.*?)[ \t]*$/;

const arrow = " -> ";

/** Splits a link at its arrow; among several, the link's size has to be the length of the target. */
function splitLink(entry: Entry): Entry {
  const { name, size = NaN } = entry;
  const first = name.indexOf(arrow, 1);
  if (first === -1) return entry;
  const atBySize = name.length - size - arrow.length;
  const isOnly = first === name.lastIndexOf(arrow);
  if (!isOnly && !(atBySize > 0 && name.startsWith(arrow, atBySize))) return unreadEntry(entry.raw);
  const at = isOnly ? first : atBySize;
  return { ...entry, name: name.slice(0, at), target: name.slice(at + arrow.length) };
}

/**
 * `12-31-99  12:05AM       <DIR>          name`. In the layouts of IIS and dir, "<DIR>" takes 15 columns, and a
 * size 21 and a space: further spaces belong to the name, in other layouts they don't.
 */
const dosLine = new RegExp(
  String.raw`^(${dosDate})[ \t]+(?:<(DIR|JUNCTION|SYMLINKD?)>|(\d[\d.,]*))` +
    String.raw`(?: +(?<=[^ ](?: {4}| {7}| {9})<.{14})|(?<=[ \d.,]{21}) |[ \t]+(?=[^ \t]))(.+\r?)$`,
  "i",
);

function parseDosLine(raw: string): Entry | undefined {
  const [, date = "", kind = "", size = "", text] = dosLine.exec(raw) ?? [];
  if (text === undefined) return undefined;
  const isLink = /^[js]/i.test(kind);
  const [, beforeBrackets, inBrackets, beforeArrow = text, target = inBrackets] =
    (isLink && dosLink.exec(text)) || [];
  const name = beforeBrackets ?? beforeArrow;
  const entry = unreadEntry(raw, name);
  if (kind === "") entry.type = "file";
  else entry.type = isLink ? "link" : "directory";
  entry.size = parseSize(size);
  entry.modified = parseDosDate(date);
  entry.target = target;
  return entry;
}

const dosLink = /^(?:(.+) \[([^[\]]*)\]|(.+?) [=-]> (.+))$/;

/** Line of ls for an entry that it can't examine: `?????????? ? ? ?      ?            ? name`. */
const unknownLine = /^([a-zA-Z?-])\?{9}[.@+]?(?:[ \t]+\?){5} (.+)$/;

function parseUnknownLine(raw: string): Entry | undefined {
  const [, letter = "", name] = unknownLine.exec(raw) ?? [];
  if (name === undefined) return undefined;
  const entry = unreadEntry(raw, name);
  entry.type = unixTypes[letter] ?? "unknown";
  return entry;
}
