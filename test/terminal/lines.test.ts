import fc from "fast-check";
import { expect, test } from "vitest";
import { barLine, treeLine } from "../../src/terminal/lines.ts";
import { textWidth } from "../../src/text/width.ts";
import { KiB, MiB } from "./support.ts";

const name = "ubuntu-24.04-desktop-amd64.iso";
const running = { position: 540 * MiB, size: 1200 * MiB, rate: 12.3 * MiB, elapsedSeconds: 44.7 };
const unsized = { ...running, size: undefined };
const starting = { ...running, position: 0, rate: undefined, elapsedSeconds: 0 };
const slow = { ...running, rate: 1 };
const longer = { ...running, position: running.size + 1 };
const all = { running, unsized, starting, slow, longer };

test.each([
  ["running", 79, " 45% [====      ]    0.5/1.2 GiB  12.3 MiB/s     54s left"],
  ["running", 60, " 45%    0.5/1.2 GiB  12.3 MiB/s     54s left"],
  ["running", 50, " 45%  12.3 MiB/s     54s left"],
  ["running", 30, " 45%  12.3 MiB/s"],
  ["running", 20, " 45%"],
  ["unsized", 80, "   540 MiB  12.3 MiB/s   44s so far"],
  ["starting", 79, "  0% [          ]    0.0/1.2 GiB"],
  ["slow", 79, " 45% [====      ]    0.5/1.2 GiB       1 B/s    >10h left"],
  ["longer", 79, "100% [==========]    1.2/1.2 GiB  12.3 MiB/s"],
] as const)("a running file's line: %s, at %d columns", (what, columns, figures) => {
  const line = barLine(name, all[what], columns);
  expect(line.endsWith(figures)).toBe(true);
  expect(line.slice(0, 3)).toBe(name.slice(0, 3));
  expect(line.length).toBeLessThanOrEqual(columns);
});

test("the parts keep their places while the figures change", () => {
  const octets = fc.integer({ min: 1, max: 2 ** 40 });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const rates = fc.option(fc.double({ min: 0, max: 2 ** 60, noNaN: true }), { nil: undefined });
  const placesOf = (line: string) => [line.indexOf("["), line.indexOf("]"), line.indexOf("/")];
  const [start, end] = placesOf(barLine(name, { ...running, size: 1, position: 0 }, 80));
  fc.assert(
    fc.property(octets, share, rates, (size, part, rate) => {
      const position = Math.floor(size * part);
      const whole = placesOf(barLine(name, { ...running, size, position: size, rate }, 80));
      const line = barLine(name, { ...running, size, position, rate }, 80);
      expect(placesOf(line)).toEqual(whole);
      expect(whole.slice(0, 2)).toEqual([start, end]);
    }),
  );
});

test("no line is wider than it may be, whatever the figures and the name", () => {
  const figures = fc.record({
    position: fc.maxSafeNat(),
    size: fc.option(fc.maxSafeNat(), { nil: undefined }),
    rate: fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined }),
    elapsedSeconds: fc.double({ min: 0, max: 1e7, noNaN: true }),
  });
  const names = fc.string({ unit: fc.constantFrom("a", ".", "ü", "東") });
  fc.assert(
    fc.property(names, figures, fc.nat(130), (anyName, anyFigures, columns) => {
      for (const line of [barLine, treeLine])
        expect(textWidth(line(anyName, anyFigures, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});

test.each([
  [80, "12 of 340 files, 3 directories to list                  1.2/30.0 MiB   300 KiB/s"],
  [54, "12 of 340 files, 3 directories to list       300 KiB/s"],
  [40, "12 of 340 files, 3 directories to list"],
])("the line of a tree at %d columns", (columns, expected) => {
  const figures = { position: 1.2 * MiB, size: 30 * MiB, rate: 300 * KiB, elapsedSeconds: 4 };
  expect(treeLine("12 of 340 files, 3 directories to list", figures, columns)).toBe(expected);
});
