/** Numbers, sizes, times and durations as people read them. */

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A number of octets in powers of 1024, in at most 8 columns. */
export function formatOctets(octets: number): string {
  let value = octets;
  let unit = 0;
  while (Math.round(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** `4.0/4.8 MiB`, in the unit of `whole`. Only the whole is shown as `4.8/4.8 MiB`. */
export function formatPart(part: number, whole: number, between = "/"): string {
  const [number = "", unit = ""] = formatOctets(whole).split(" ");
  const digits = number.includes(".") ? 1 : 0;
  const round = part < whole ? Math.floor : Math.round;
  const value = round((part / 1024 ** units.indexOf(unit)) * 10 ** digits) / 10 ** digits;
  return `${value.toFixed(digits)}${between}${number} ${unit}`;
}

export function formatRate(octetsPerSecond: number): string {
  return `${formatOctets(octetsPerSecond)}/s`;
}

/** `0.4s`, `12s`, `1:02` or `1:02:03`; fractions only below 10 s. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  const inMinute = twoDigits(whole % 60);
  if (minutes < 60) return `${minutes}:${inMinute}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${inMinute}`;
}

/** `in 12s (1.5 MiB/s)`; in less than a second a rate says little. */
export function inTime(octets: number, seconds: number): string {
  const rate = octets > 0 && seconds >= 1 ? ` (${formatRate(octets / seconds)})` : "";
  return `in ${formatDuration(seconds)}${rate}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

export function formatUtc(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}

export function formatLocal(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return formatUtc(local).slice(0, 16).replace("T", " ");
}
