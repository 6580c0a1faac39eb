/** Parses a time-val (RFC 3659 §2.3), `YYYYMMDDHHMMSS[.sss]` in UTC. */
export function parseTimeVal(text: string): Date | undefined {
  if (!/^\d{14}(?:\.\d+)?$/.test(text)) return undefined;
  const part = (start: number, end?: number): number => Number(text.slice(start, end));
  const milliseconds = part(12, 14) * 1000 + Math.floor(part(14) * 1000);
  return utcDate(part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 12), milliseconds);
}

/** Undefined if there is no such time. `month` counts from 1; `ms` are the milliseconds of the minute. */
export function utcDate(year: number, month: number, day: number, hour = 0, minute = 0, ms = 0) {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, 0, ms));
  // Date.UTC takes 31 June for 1 July, and the year 1, .NET's unknown time, for 1901.
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
  return exists && date.getUTCDate() === day && minute < 60 ? date : undefined;
}
