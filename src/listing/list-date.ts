/** Dates of LIST. Their time zone is unknown: taken for UTC, and not compared with exact times. */
import { utcDate } from "../text/time-val.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const dayMs = 24 * 60 * 60 * 1000;

export const gap = String.raw`[ \t]+`;
/** The word for "month", "day" or "year" behind its number, in an encoding of East Asia. */
const anyUnit = String.raw`[^ -~\t][^ \t\d]{0,2}`;
/** A month in any language, as `3\xe6\x9c\x88`, but never a number or a date itself. */
const anyMonth = String.raw`(?:\d\d?[^ \t\d/:,-]|[^ \t\d/:,-][^ \t])[^ \t]{0,10}`;
const anyDay = String.raw`\d\d?(?:\.|${anyUnit})?`;
const yearDigits = String.raw`(?:1[6-9]|2\d)\d\d`;
const anyYear = `${yearDigits}(?:${anyUnit})?`;
/** A time of day; some servers cut the last digit off. */
const anyTime = String.raw`\d\d?:\d\d?`;

/** The dates of ls, as part of an expression; the first form that fits counts. */
export const unixDate = [
  // Nov 21 07:30; Nov 21  2026; 21 Nov 2026; 19. Sep 13:24
  `(?:${anyMonth}${gap}${anyDay}|${anyDay}${gap}${anyMonth})${gap}(?:${anyYear}|${anyTime})`,
  // 2026-11-21 07:30; 2026-11-21 07:30:00.000000000 +0100
  String.raw`\d+[-/.]\d+[-/.]\d+${gap}\d\d?:\d\d(?::\d\d(?:\.\d+)?(?: [+-]\d{4})?)?`,
  // Oct 08, 2002 09:47
  String.raw`${anyMonth}${gap}\d\d?,${gap}${yearDigits}${gap}${anyTime}`,
  // 09-26 2000; 09-26 13:45; 3 29 03:26
  String.raw`\d\d?[-/]\d\d?${gap}(?:${yearDigits}|${anyTime})|\d\d?${gap}\d\d?${gap}${anyTime}`,
  // 01-jun-99
  String.raw`\d\d?-[A-Za-z]{3}-(?:\d\d){1,2}`,
  // 2005년 1월 6일; a year or time behind it shows that "2005" was a size
  String.raw`${anyYear}${gap}\d\d?${anyUnit}${gap}${anyDay}(?!${gap}(?:${anyYear}|${anyTime})[ \t])`,
].join("|");

const numericDate = /^(\d{4})[-/.](\d\d?)[-/.](\d\d?)[ \t]+(\d\d?):(\d\d)/;

export type ParseDate = (text: string) => Date | undefined;

/** The parser of one listing's dates, of which many files have the same: each is parsed once. */
export function unixDateParser(now: Date): ParseDate {
  const dates = new Map<string, Date | undefined>();
  return (text) => {
    if (!dates.has(text)) {
      if (dates.size === 1000) dates.clear();
      dates.set(text, parseUnixDate(text, now));
    }
    return dates.get(text);
  };
}

/** Undefined for a month of another language, an unknown order, and a day that doesn't exist. */
function parseUnixDate(text: string, now: Date): Date | undefined {
  const match = numericDate.exec(text);
  if (match === null) return parseNamedDate(text, now);
  const [year = 0, month = 0, day = 0, hour, minute] = match.slice(1).map(Number);
  return utcDate(year, month, day, hour, minute);
}

const namedDate = new RegExp(
  String.raw`^(?:(?<dayBefore>\d\d?)\.?${gap})?(?<name>[A-Za-z]{3})[.,]*` +
    String.raw`(?:${gap}(?<dayBehind>\d\d?),?)?(?:${gap}(?<year>\d{4}))?` +
    String.raw`(?:${gap}(?<hour>\d\d?):(?<minute>\d\d))?$`,
);

function parseNamedDate(text: string, now: Date): Date | undefined {
  const parts = namedDate.exec(text)?.groups ?? {};
  const { dayBefore, name = "", dayBehind, year, hour, minute = 0 } = parts;
  const month = months.indexOf(name.toLowerCase()) + 1;
  const day = Number(dayBefore ?? dayBehind);
  const inYear = (number: number) => utcDate(number, month, day, Number(hour ?? 0), Number(minute));
  if (year !== undefined) return inYear(Number(year));
  return hour === undefined ? undefined : latestSuchDay(now, inYear);
}

/** The last such date before `now`, or up to a day later, for servers in eastern time zones. */
function latestSuchDay(now: Date, inYear: (year: number) => Date | undefined): Date | undefined {
  const latestMs = now.getTime() + dayMs;
  const nextYear = now.getUTCFullYear() + 1;
  return [nextYear, nextYear - 1, nextYear - 2]
    .map(inYear)
    .find((date) => date !== undefined && date.getTime() <= latestMs);
}

export const dosDate = String.raw`\d{1,4}[-/.]\d\d?[-/.]\d{2,4}[ \t]+\d\d?:\d\d(?: ?[AP]M)?`;

/**
 * Parses IIS's dates, `11-21-26  07:30AM`, with the year in two digits (from 1970) or four; others put four
 * first. Undefined for slashes and dots, where the order of day and month varies.
 */
export function parseDosDate(text: string): Date | undefined {
  const [, first, separator, second, third, hour, minute, amOrPm] = dosDateParts.exec(text) ?? [];
  const date = (year: number, month?: string, day?: string) =>
    utcDate(year, Number(month), Number(day), hourOfDay(Number(hour), amOrPm), Number(minute));
  if (first?.length === 4) return date(Number(first), second, third);
  return separator === "-" ? date(fullYear(Number(third)), first, second) : undefined;
}

const dosDateParts = /^(\d+)([-/.])(\d+)[-/.](\d+)[ \t]+(\d+):(\d+) ?([AP]M)?/i;

function hourOfDay(hour: number, amOrPm = ""): number {
  if (amOrPm === "") return hour;
  return (hour % 12) + (amOrPm.toUpperCase() === "PM" ? 12 : 0);
}

function fullYear(year: number): number {
  if (year >= 100) return year;
  return year + (year < 70 ? 2000 : 1900);
}
