/**
 * Parses lines of LIST, whose format no standard defines: those of ls and DOS by basic-ftp; others
 * keep only their text. basic-ftp's parsers are called line by line, since its exported function
 * chooses a parser by the last line, drops what that cannot parse, and parses each line twice.
 */
import { FileInfo } from "basic-ftp/dist/FileInfo.js";
import * as dosParser from "basic-ftp/dist/parseListDOS.js";
import * as unixParser from "basic-ftp/dist/parseListUnix.js";
import { isDotName, unreadEntry, type Entry, type EntryType } from "./entry.ts";
import { parseDosDate, parseUnixDate } from "./list-date.ts";

const unixStart = /^[bcdefmplSs-](?:[r-][w-][xsStTL-]){3}[.@]?\+?\s*\d+\s/;
const dosStart = /^\d\d-\d\d-\d{2,4}\s+\d\d?:\d\d/;

const unixTypes: Record<string, EntryType> = {
  "-": "file",
  f: "file",
  d: "directory",
  l: "link",
  e: "link", // z/OS's external links
};

/** Undefined for an empty line, `.`, `..` and `total 123`. Dates without a year are near `now`. */
export function parseListLine(
  raw: string,
  now: Date,
  dateOf = (text: string) => parseUnixDate(text, now),
): Entry | undefined {
  if (raw === "" || /^total \d[\d.,]*\w?$/.test(raw)) return undefined;
  const entry = parseUnixLine(raw, dateOf) ?? parseDosLine(raw) ?? unreadEntry(raw);
  return isDotName(entry.name) ? undefined : entry;
}

function parseUnixLine(raw: string, dateOf: (text: string) => Date | undefined): Entry | undefined {
  if (!unixStart.test(raw)) return undefined;
  const letter = raw.charAt(0);
  const attribute = raw.charAt(10);
  // basic-ftp accepts the `+` of ls, but not the `.` of SELinux and the `@` of macOS.
  const isUnknown = attribute === "." || attribute === "@";
  const info = readUnixLine(isUnknown ? raw.replace(attribute, "+") : raw);
  if (!info) return undefined;
  const entry = unreadEntry(raw, info.name);
  entry.type = unixTypes[letter] ?? "unknown";
  // Devices have their numbers in place of a size.
  entry.size = letter === "b" || letter === "c" ? undefined : safeSize(info);
  entry.modified = dateOf(info.rawModifiedAt);
  entry.isDay = !info.rawModifiedAt.includes(":");
  entry.permissions = raw.slice(1, 10);
  entry.owner = info.user;
  entry.group = info.group;
  entry.target = info.link;
  return entry;
}

function parseDosLine(raw: string): Entry | undefined {
  const info = dosStart.test(raw) ? readLine(raw, dosParser) : undefined;
  if (!info) return undefined;
  const entry = unreadEntry(raw, paddedName.exec(raw)?.[1] ?? info.name);
  entry.type = info.isDirectory ? "directory" : "file";
  entry.size = info.isDirectory ? undefined : safeSize(info);
  entry.modified = parseDosDate(info.rawModifiedAt);
  return entry;
}

/** A name that begins with spaces, which basic-ftp drops: IIS has names in one column. */
const paddedName =
  /^\d\d-\d\d-(?:\d\d){1,2} {2}\d\d:\d\d[AP]M(?: {7}<DIR> {10}|(?=[ \d]{22}) +\d+ )( .*)$/i;

/**
 * basic-ftp takes the last size and date of a line, even if they are in the name, since a group may
 * have spaces. To make it take the first ones, the spaces before digits in the name are replaced.
 */
function readUnixLine(line: string): FileInfo | undefined {
  const info = readLine(line, unixParser);
  const start = sizeAndDate.exec(info?.group ?? "") && sizeAndDate.exec(line);
  if (!start) return info;
  const nameStart = start.index + start[0].length;
  const name = line.slice(nameStart).replaceAll(/ (?=\d)/g, hiddenSpace);
  const again = readLine(line.slice(0, nameStart) + name, unixParser);
  if (again === undefined) return info;
  again.name = again.name.replaceAll(hiddenSpace, " ");
  if (again.link !== undefined) again.link = again.link.replaceAll(hiddenSpace, " ");
  return again;
}

const sizeAndDate =
  / \d+ +(?:\d+[-/]\d+[-/]\d+|\S{3} +\d{1,2}|\d{1,2} +\S{3}) +\d+(?::\d+)?(?: |$)/;

/** Not in latin1. */
const hiddenSpace = "\ue000";

/** Undefined for a line that basic-ftp cannot parse. */
function readLine(line: string, parser: typeof unixParser): FileInfo | undefined {
  const info = parser.parseLine(line);
  // Of the lines that it can parse, it skips only "." and "..".
  if (info === undefined) return parser.testLine(line) ? new FileInfo(".") : undefined;
  // It ends the name at a CR.
  const whole = line.endsWith(info.link === undefined ? info.name : ` -> ${info.link}`);
  return whole && info.name !== "" ? info : undefined;
}

function safeSize(info: FileInfo): number | undefined {
  return Number.isSafeInteger(info.size) ? info.size : undefined;
}
