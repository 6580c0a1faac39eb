import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DocumentStart } from "../../src/documents/events.ts";
import { Messages } from "../../src/terminal/messages.ts";
import { Screen } from "./screen.ts";

const MiB = 1024 ** 2;
const document = { url: "ftp://h/pub/x.iso", target: "x.iso", size: 100 * MiB, offset: 0 };

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function begin(details: Partial<DocumentStart> = {}) {
  const stream = new Screen(80);
  const messages = new Messages({
    stream,
    level: "normal",
    progress: "plain",
    decode: (octets) => octets,
    now: Date.now,
    showsStacks: false,
  });
  const running = messages.begin({ ...document, ...details });
  return { lines: () => stream.lines, messages, running };
}

test("a line at the start, every ten seconds and at the end", () => {
  const { lines, running } = begin();
  for (let position = 0; position <= 100 * MiB; position += 4 * MiB) {
    running.advance(position);
    vi.advanceTimersByTime(1000);
  }
  running.end({});
  vi.advanceTimersByTime(60_000);
  expect(lines()).toEqual([
    "x.iso: fetching 100 MiB from ftp://h/pub/x.iso",
    "x.iso: 36%, 36.0 MiB of 100 MiB, 3.6 MiB/s, 18s left",
    "x.iso: 76%, 76.0 MiB of 100 MiB, 4.0 MiB/s, 6s left",
    "x.iso: 100 MiB in 26s (3.8 MiB/s)",
  ]);
});

test("an unknown size: octets, speed and time", () => {
  const { lines, running } = begin({ size: undefined });
  running.advance(50 * MiB);
  vi.advanceTimersByTime(10_000);
  running.end({});
  expect(lines()).toEqual([
    "x.iso: fetching a file of unknown size from ftp://h/pub/x.iso",
    "x.iso: 50.0 MiB, 5.0 MiB/s, 10s so far",
    "x.iso: 50.0 MiB in 10s (5.0 MiB/s)",
  ]);
});

test("a resumed document says where it goes on, and counts only new octets for the speed", () => {
  const { lines, running } = begin({ offset: 80 * MiB });
  running.advance(90 * MiB);
  vi.advanceTimersByTime(10_000);
  expect(lines()).toEqual([
    "x.iso: fetching 100 MiB from ftp://h/pub/x.iso, resuming at 80.0 MiB",
    "x.iso: 90%, 90.0 MiB of 100 MiB, 1.0 MiB/s, 10s left",
  ]);
  running.advance(100 * MiB);
  vi.advanceTimersByTime(10_000);
  running.end({});
  expect(lines().at(-1)).toBe("x.iso: 100 MiB, 20.0 MiB of it now, in 20s (1.0 MiB/s)");
});

test("a stall is told, without a guess at the end", () => {
  const { lines } = begin();
  vi.advanceTimersByTime(10_000);
  expect(lines().at(-1)).toBe("x.iso: 0%, 0 B of 100 MiB, 0 B/s");
});

test("after close nothing more is said", () => {
  const { lines, messages, running } = begin();
  messages.close();
  messages.close();
  vi.advanceTimersByTime(60_000);
  running.end();
  expect(lines()).toHaveLength(1);
});
