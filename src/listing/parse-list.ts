/**
 * Lines that LIST sends, which no document defines: ls's and DOS's are read by basic-ftp, all
 * others shown as they came. Its parsers get one line each: what it exports chooses one of them
 * by the last line of a listing, drops what that one can't read, and reads every line twice.
 */
import { FileInfo } from "basic-ftp";
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

/**
 * The entry of a line; undefined for an empty line, for `.` and `..` and for `total 123`. `now`
 * decides in which year a date without one is; `dateOf` reads ls's dates by it. A line that can't be read is an entry of
 * which only the line is known.
 */
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
  // basic-ftp knows ls's `+`, but not the `.` of SELinux nor the `@` of macOS.
  const isUnknown = attribute === "." || attribute === "@";
  const info = readUnixLine(isUnknown ? raw.replace(attribute, "+") : raw);
  if (!info) return undefined;
  const entry = unreadEntry(raw, info.name);
  entry.type = unixTypes[letter] ?? "unknown";
  // Devices have their numbers there.
  entry.size = letter === "b" || letter === "c" ? undefined : safeSize(info);
  entry.modified = dateOf(info.rawModifiedAt);
  entry.permissions = raw.slice(1, 10);
  entry.owner = info.user;
  entry.group = info.group;
  entry.target = info.link;
  return entry;
}

function parseDosLine(raw: string): Entry | undefined {
  const info = dosStart.test(raw) ? readLine(raw, dosParser) : undefined;
  if (!info) return undefined;
  const entry = unreadEntry(raw, info.name);
  entry.type = info.isDirectory ? "directory" : "file";
  entry.size = info.isDirectory ? undefined : safeSize(info);
  entry.modified = parseDosDate(info.rawModifiedAt);
  return entry;
}

/**
 * basic-ftp takes the last size and date of a line for the file's, also in its name, since a
 * group may have spaces; the first ones are. Of a name's spaces those before digits are hidden.
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

/** No octet. */
const hiddenSpace = "\ue000";

/** What basic-ftp makes of a line that begins as it should; undefined where it can't read it. */
function readLine(line: string, parser: typeof unixParser): FileInfo | undefined {
  const info = parser.parseLine(line);
  // It passes over "." and "..", and only over them when it can read the line.
  if (info === undefined) return parser.testLine(line) ? new FileInfo(".") : undefined;
  // It takes a CR for the end of the name.
  const whole = line.endsWith(info.link === undefined ? info.name : ` -> ${info.link}`);
  return whole && info.name !== "" ? info : undefined;
}

function safeSize(info: FileInfo): number | undefined {
  return Number.isSafeInteger(info.size) ? info.size : undefined;
}
