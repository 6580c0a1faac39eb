/** Dates of LIST. Their time zone is unknown: taken for UTC, and not compared with exact times. */
import { utcDate } from "../text/time-val.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const dayMs = 24 * 60 * 60 * 1000;

export const gap = String.raw`[ \t]+`;
/** A month in any language, but never a number. */
const anyMonth = String.raw`[^ \t\d/:,-][^ \t\d/:,-][^ \t/:,-]{0,10}`;
const anyDay = String.raw`\d\d?\.?`;

/** The dates of ls, as part of an expression: `Nov 21 07:30`, `21 Nov 2026`, `2026-11-21 07:30`. */
export const unixDate =
  String.raw`(?:${anyMonth}${gap}${anyDay}|${anyDay}${gap}${anyMonth})${gap}(?:\d{4}|\d\d?:\d\d)` +
  String.raw`|\d{4}-\d\d-\d\d${gap}\d\d:\d\d(?::\d\d(?:\.\d+)?(?: [+-]\d{4})?)?`;

const numericDate = /^(\d{4})-(\d\d)-(\d\d)[ \t]+(\d\d):(\d\d)/;

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

/** Undefined for a month of another language, and for a day that doesn't exist. */
function parseUnixDate(text: string, now: Date): Date | undefined {
  const match = numericDate.exec(text);
  if (match === null) return parseNamedDate(text, now);
  const [year = 0, month = 0, day = 0, hour, minute] = match.slice(1).map(Number);
  return utcDate(year, month, day, hour, minute);
}

function parseNamedDate(text: string, now: Date): Date | undefined {
  const [one = "", other = "", yearOrTime = ""] = text.split(/[ \t]+/);
  const [name, dayText] = /^\d/.test(one) ? [other, one] : [one, other];
  const month = months.indexOf(name.toLowerCase()) + 1;
  const day = parseInt(dayText);
  const [hour = 0, minute] = yearOrTime.split(":").map(Number);
  if (minute === undefined) return utcDate(Number(yearOrTime), month, day, 0, 0);
  // The last such day before now, or up to a day later, for servers in eastern time zones.
  const thisYear = now.getUTCFullYear();
  return [thisYear + 1, thisYear, thisYear - 1]
    .map((year) => utcDate(year, month, day, hour, minute))
    .find((date) => date !== undefined && date.getTime() <= now.getTime() + dayMs);
}

/** IIS's dates: `11-21-26  07:30AM`, `11-21-2026  19:30`; others have `2026-11-21  19:30`. */
export const dosDate = String.raw`(?:\d\d-\d\d-(?:\d\d){1,2}|\d{4}-\d\d-\d\d)${gap}\d\d:\d\d(?:[AP]M)?`;

/** The year has two digits, from 1970 on, or four. */
export function parseDosDate(text: string): Date | undefined {
  if (/^\d{4}/.test(text)) return parseDosDate(text.replace(/^(\d+)-(\d+)-(\d+)/, "$2-$3-$1"));
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0] = (text.match(/\d+/g) ?? []).map(
    Number,
  );
  const century = year >= 100 ? 0 : year < 70 ? 2000 : 1900;
  const amOrPm = /[AP]M$/i.exec(text)?.[0].toUpperCase();
  const hours = amOrPm === undefined ? hour : (hour % 12) + (amOrPm === "PM" ? 12 : 0);
  return utcDate(century + year, month, day, hours, minute);
}
