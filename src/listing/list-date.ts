/** Dates of LIST. Their time zone is unknown: taken for UTC, and not compared with exact times. */

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const dayMs = 24 * 60 * 60 * 1000;

/** Of any language, as `3\xe6\x9c\x88`, but never a number or a date itself. */
const month = String.raw`\d{0,2}[^ \t\d/:,-][^ \t]{1,11}`;

/**
 * The dates of ls, as part of an expression: `Nov 21 07:30`, `Nov 21  2026`, `21 Nov 2026`,
 * `2026-11-21 07:30`, `2026-11-21 07:30:00.000000000 +0100`.
 */
export const unixDate =
  String.raw`(?:${month}[ \t]+\d\d?|\d\d?[ \t]+${month})[ \t]+(?:(?:1[69]|2[01])\d\d|\d\d?:\d\d)|` +
  String.raw`\d+[-/]\d+[-/]\d+[ \t]+\d\d?:\d\d(?::\d\d(?:\.\d+)?(?: [+-]\d{4})?)?`;

const numericDate = /^(\d{4})[-/](\d\d?)[-/](\d\d?)[ \t]+(\d\d?):(\d\d)/;
const namedDate =
  /^(?:(\d\d?)[ \t]+)?([A-Za-z]{3})(?:[ \t]+(\d\d?))?[ \t]+(?:(\d{4})|(\d\d?):(\d\d))$/;

/** Undefined for a month of another language, and for a day that doesn't exist. */
export function parseUnixDate(text: string, now: Date): Date | undefined {
  const [, ...numbers] = numericDate.exec(text) ?? [];
  const [year = 0, month = 0, day = 0, hour, minute] = numbers.map(Number);
  return numbers.length > 0 ? utcDate(year, month, day, hour, minute) : parseNamedDate(text, now);
}

function parseNamedDate(text: string, now: Date): Date | undefined {
  const [, before, name = "", after, year, hour, minute] = namedDate.exec(text) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  const day = Number(before ?? after);
  if (year !== undefined) return utcDate(Number(year), month, day);
  return latestSuchDay(now, (near) => utcDate(near, month, day, Number(hour), Number(minute)));
}

/** The last such date before `now`, or up to a day later, for servers in eastern time zones. */
function latestSuchDay(now: Date, inYear: (year: number) => Date | undefined): Date | undefined {
  const nextYear = now.getUTCFullYear() + 1;
  for (let year = nextYear; year >= nextYear - 2; year--) {
    const date = inYear(year);
    if (date && date.getTime() <= now.getTime() + dayMs) return date;
  }
  return undefined;
}

/** The date of DOS, as part of an expression; by day and month, it isn't told which comes first. */
export const dosDate = String.raw`\d\d-\d\d-\d{2,4}[ \t]+\d\d?:\d\d(?:[AP]M)?`;

const dosDateParts = /^(\d\d)-(\d\d)-(\d\d|\d{4})[ \t]+(\d\d?):(\d\d)([AP]M)?$/i;

/** IIS: `11-21-26  07:30AM`, month first; the year has two digits (from 1970) or four. */
export function parseDosDate(text: string): Date | undefined {
  const [, month, day, year, hour, minute, half] = dosDateParts.exec(text) ?? [];
  const hour24 = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return utcDate(fullYear(Number(year)), Number(month), Number(day), hour24, Number(minute));
}

function fullYear(year: number): number {
  return year + (year >= 100 ? 0 : year < 70 ? 2000 : 1900);
}

/** Months from 1; undefined if there is no such time (31 June, 25 o'clock). */
function utcDate(year: number, month: number, day: number, hour = 0, minute = 0): Date | undefined {
  if (hour > 23 || minute > 59) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute));
  // Date converts 31 June to 1 July, and the years 0 to 99 to 1900 to 1999.
  const same = date.getUTCMonth() === month - 1 && date.getUTCFullYear() === year;
  return same ? date : undefined;
}
