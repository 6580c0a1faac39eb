import fc from "fast-check";
import { expect, test } from "vitest";
import { barLine, treeLine } from "../../src/terminal/lines.ts";
import { textWidth } from "../../src/terminal/lines.ts";
import { KiB, MiB } from "./support.ts";

const name = "ubuntu-24.04-desktop-amd64.iso";
const size = 1200 * MiB;
const nowMs = 40_000;
const running = { target: name, position: 540 * MiB, size, offset: 48 * MiB, begunMs: 0 };
const unsized = { ...running, size: undefined };
const starting = { ...running, position: 0, offset: 0, begunMs: nowMs };
const slow = { ...running, offset: running.position - 40 };
const longer = { ...running, position: size + 1, offset: size - 492 * MiB };
const all = { running, unsized, starting, slow, longer };

test.each([
  ["running", 79, " 45% [====      ]    0.5/1.2 GiB  12.3 MiB/s     54s left"],
  ["running", 60, " 45%    0.5/1.2 GiB  12.3 MiB/s     54s left"],
  ["running", 50, " 45%  12.3 MiB/s     54s left"],
  ["running", 30, " 45%  12.3 MiB/s"],
  ["running", 20, " 45%"],
  ["unsized", 80, "   540 MiB  12.3 MiB/s   40s so far"],
  ["starting", 79, "  0% [          ]    0.0/1.2 GiB"],
  ["slow", 79, " 45% [====      ]    0.5/1.2 GiB       1 B/s    >10h left"],
  ["longer", 79, "100% [==========]    1.2/1.2 GiB  12.3 MiB/s"],
] as const)("a running file's line: %s, at %d columns", (what, columns, figures) => {
  const line = barLine(all[what], nowMs, columns);
  expect(line.endsWith(figures)).toBe(true);
  expect(line.slice(0, 3)).toBe(name.slice(0, 3));
  expect(line.length).toBeLessThanOrEqual(columns);
});

test("the parts keep their places while the figures change", () => {
  const octets = fc.integer({ min: 1, max: 2 ** 40 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const places = (position: number, whole: number) => {
    const line = barLine({ ...running, size: whole, position, offset: 0 }, nowMs, 80);
    return [line.indexOf("["), line.indexOf("]"), line.indexOf("/")];
  };
  const [start, end] = places(0, 1);
  fc.assert(
    fc.property(octets, share, (whole, part) => {
      const atTheEnd = places(whole, whole);
      expect(places(Math.floor(whole * part), whole)).toEqual(atTheEnd);
      expect(atTheEnd.slice(0, 2)).toEqual([start, end]);
    }),
  );
});

test("no line is wider than it may be, whatever the figures and the name", () => {
  const figures = fc.record({
    target: fc.string({ unit: fc.constantFrom("a", ".", "ü", "東") }),
    position: fc.maxSafeNat(),
    size: fc.option(fc.maxSafeNat(), { nil: undefined }),
    offset: fc.maxSafeNat(),
    begunMs: fc.integer({ min: -1e10, max: nowMs }),
  });
  fc.assert(
    fc.property(figures, fc.nat(130), (anyFile, columns) => {
      for (const line of [barLine, treeLine])
        expect(textWidth(line(anyFile, nowMs, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test.each([
  [80, "12 of 340 files, 3 directories to list                  1.2/30.0 MiB   300 KiB/s"],
  [54, "12 of 340 files, 3 directories to list       300 KiB/s"],
  [40, "12 of 340 files, 3 directories to list"],
])("the line of a tree at %d columns", (columns, expected) => {
  const target = "12 of 340 files, 3 directories to list";
  const trees = {
    target,
    position: 1.2 * MiB,
    size: 30 * MiB,
    offset: 28.8 * KiB,
    begunMs: 36_000,
  };
  expect(treeLine(trees, nowMs, columns)).toBe(expected);
});
