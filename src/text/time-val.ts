/** RFC 3659 §2.3's time-val, `YYYYMMDDHHMMSS[.sss]`, in UTC; undefined if there is no such time. */
export function parseTimeVal(text: string): Date | undefined {
  // Listings may have millions of them: slices take a quarter of the time of groups.
  if (!/^\d{14}(?:\.\d+)?$/.test(text)) return undefined;
  const at = (start: number, end: number): number => Number(text.slice(start, end));
  const [month, day, hour, minute] = [at(4, 6), at(6, 8), at(8, 10), at(10, 12)];
  const milliseconds = Math.floor(at(14, text.length) * 1000);
  const date = new Date(Date.UTC(at(0, 4), month - 1, day, hour, minute, at(12, 14), milliseconds));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists && minute < 60 ? date : undefined;
}
