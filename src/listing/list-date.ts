/** Dates of LIST. Their time zone is unknown: taken for UTC, and not compared with exact times. */
import { utcDate } from "../text/time-val.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const dayMs = 24 * 60 * 60 * 1000;

export const gap = String.raw`[ \t]+`;
/** The sign for "month", "day" or "year" behind its number, in an encoding of East Asia. */
const sign = String.raw`[^ -~\t][^ \t\d]{0,2}`;
/** A month in any language, but never a number alone. */
const anyMonth = String.raw`(?:\d\d?${sign}|[^ \t\d/:,-][^ \t\d/:,-][^ \t/:,-]{0,10})`;
const anyDay = String.raw`\d\d?(?:\.|${sign})?`;
const clock = String.raw`\d\d?:\d\d`;

/** The dates of ls, as part of an expression. */
export const unixDate = [
  // Nov 21 07:30; 21 Nov 2026
  String.raw`(?:${anyMonth}${gap}${anyDay}|${anyDay}${gap}${anyMonth})${gap}(?:\d{4}(?:${sign})?|${clock})`,
  // 2026-11-21 07:30; 2026-11-21 07:30:00.000000000 +0100
  String.raw`\d{4}-\d\d-\d\d${gap}\d\d:\d\d(?::\d\d(?:\.\d+)?(?: [+-]\d{4})?)?`,
].join("|");

const numericDate = /^(\d{4})-(\d\d)-(\d\d)[ \t]+(\d\d):(\d\d)/;

/** Undefined for a month of another language, and for a day that doesn't exist. */
export function parseUnixDate(text: string, now: Date): Date | undefined {
  const match = numericDate.exec(text);
  if (match === null) return parseNamedDate(text, now);
  const [year = 0, month = 0, day = 0, hour, minute] = match.slice(1).map(Number);
  return utcDate(year, month, day, hour, minute);
}

function parseNamedDate(text: string, now: Date): Date | undefined {
  const [one = "", other = "", last = ""] = text.split(/[ \t]+/);
  const [name, dayText] = /^\d/.test(one) ? [other, one] : [one, other];
  const month = months.indexOf(name.toLowerCase()) + 1;
  const day = parseInt(dayText);
  if (!last.includes(":")) return utcDate(Number(last), month, day);
  const [hour, minute] = last.split(":").map(Number);
  // The last such day before now, or up to a day later, for servers in eastern time zones.
  const thisYear = now.getUTCFullYear();
  for (const year of [thisYear + 1, thisYear, thisYear - 1]) {
    const date = utcDate(year, month, day, hour, minute);
    if (date !== undefined && date.getTime() <= now.getTime() + dayMs) return date;
  }
  return undefined;
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
