/** Parses a time-val (RFC 3659 §2.3), `YYYYMMDDHHMMSS[.sss]` in UTC; undefined if there is no such time. */
export function parseTimeVal(text: string): Date | undefined {
  if (!/^\d{14}(?:\.\d+)?$/.test(text)) return undefined;
  const at = (start: number, end?: number): number => Number(text.slice(start, end));
  const milliseconds = at(12, 14) * 1000 + Math.floor(at(14) * 1000);
  return utcDate(at(0, 4), at(4, 6), at(6, 8), at(8, 10), at(10, 12), milliseconds);
}

export function utcDate(year: number, month: number, day: number, hour = 0, minute = 0, ms = 0) {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, 0, ms));
  // Date.UTC takes 31 June for 1 July, and the year 1, .NET's unknown time, for 1901.
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return exists && date.getUTCDate() === day && minute < 60 ? date : undefined;
}
