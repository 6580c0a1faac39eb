import { expect, test } from "vitest";
import {
  formatDuration,
  formatLocal,
  formatOctets,
  formatPart,
  formatRate,
  formatUtc,
} from "../../src/text/units.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [99.9 * 1024, "99.9 KiB"],
  [99.96 * 1024, "100 KiB"],
  [1023.4 * 1024, "1023 KiB"],
  [1023.6 * 1024, "1.0 MiB"],
  [5.5 * 1024 ** 4, "5.5 TiB"],
  [Number.MAX_SAFE_INTEGER, "8.0 PiB"],
  [2048 * 1024 ** 6, "2048 EiB"],
])("%d octets are shown as %s", (octets, shown) => {
  expect(formatOctets(octets)).toBe(shown);
});

test.each([
  [0, 0, "0/0 B"],
  [4 * 1024 ** 2, 4.8 * 1024 ** 2, "4.0/4.8 MiB"],
  [300 * 1024, 12.5 * 1024 ** 2, "0.2/12.5 MiB"],
  [4.86 * 1024 ** 2 - 1, 4.86 * 1024 ** 2, "4.8/4.9 MiB"],
  [4.86 * 1024 ** 2, 4.86 * 1024 ** 2, "4.9/4.9 MiB"],
  [3 * 1024 ** 2, 1024 ** 2, "3.0/1.0 MiB"],
])("%d octets of %d are shown as %s", (part, whole, shown) => {
  expect(formatPart(part, whole)).toBe(shown);
});

test.each([
  [0, "0 B/s"],
  [12.3 * 1024 ** 2, "12.3 MiB/s"],
  [1000 * 1024, "1000 KiB/s"],
])("%d octets a second are shown as %s", (rate, shown) => {
  expect(formatRate(rate)).toBe(shown);
});

test.each([
  [0, "0s"],
  [0.04, "0.0s"],
  [0.42, "0.4s"],
  [9.95, "10s"],
  [9.96, "10s"],
  [59.6, "1:00"],
  [62, "1:02"],
  [3599.6, "1:00:00"],
  [3723, "1:02:03"],
])("%d seconds are shown as %s", (seconds, shown) => {
  expect(formatDuration(seconds)).toBe(shown);
});

test.each([
  [Date.UTC(2026, 10, 21, 7, 30, 9), "2026-11-21T07:30:09Z"],
  [Date.UTC(2026, 0, 1, 0, 0, 0, 50), "2026-01-01T00:00:00.050Z"],
  [Date.UTC(999, 11, 31), "0999-12-31T00:00:00Z"],
  [Date.UTC(10_000, 0), "+010000-01-01T00:00:00Z"],
])("%d milliseconds since 1970 are shown as %s", (milliseconds, shown) => {
  expect(formatUtc(new Date(milliseconds))).toBe(shown);
});

test("a time is shown in the zone of this machine, to the minute", () => {
  expect(formatLocal(new Date(2026, 0, 2, 3, 4, 59))).toBe("2026-01-02 03:04");
});
