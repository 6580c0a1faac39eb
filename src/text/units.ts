/** Formats octets, rates and times for all messages. */
const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] as const;

/** In powers of 1024; at most 8 columns. */
export function formatOctets(octets: number): string {
  let value = octets;
  let unit = 0;
  for (; Math.round(value) >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** At most 10 columns. */
export function formatRate(octetsPerSecond: number): string {
  return `${formatOctets(octetsPerSecond)}/s`;
}

/** `0.4s`, `12s`, `1:02` or `1:02:03`; fractions only below 10 s. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95 && !Number.isInteger(seconds)) return `${seconds.toFixed(1)}s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${twoDigits(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(whole % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
