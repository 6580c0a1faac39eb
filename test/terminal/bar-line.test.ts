import fc from "fast-check";
import { expect, test } from "vitest";
import { barLine } from "../../src/terminal/bar-line.ts";
import { textWidth } from "../../src/text/width.ts";

const MiB = 1024 ** 2;
const name = "ubuntu-24.04-desktop-amd64.iso";
const running = { position: 540 * MiB, size: 1200 * MiB, rate: 12.3 * MiB, elapsedSeconds: 44.7 };
const unsized = { ...running, size: undefined };
const starting = { ...running, position: 0, rate: undefined, elapsedSeconds: 0 };
const stalled = { ...running, rate: 0 };
const complete = { ...running, position: running.size };
const empty = { ...starting, size: 0 };
const slow = { ...running, rate: 1 };
const longer = { ...running, position: running.size + 1 };

const all = { running, unsized, starting, stalled, complete, empty, slow, longer };

test.each([
  [
    "running",
    80,
    "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB  12.3 MiB/s     54s left",
  ],
  ["running", 40, "ubunt….iso  45%  12.3 MiB/s     54s left"],
  ["running", 20, "ubuntu-…d64.iso  45%"],
  [
    "unsized",
    80,
    "ubuntu-24.04-desktop-amd64.iso                      540 MiB  12.3 MiB/s      44s",
  ],
  ["unsized", 40, "ubun….iso   540 MiB  12.3 MiB/s      44s"],
  ["unsized", 20, "ubunt….iso   540 MiB"],
  ["starting", 80, "ubuntu-2…d64.iso   0% [                ]    0.0/1.2 GiB"],
  ["starting", 40, "ubunt….iso   0%"],
  ["starting", 20, "ubuntu-…d64.iso   0%"],
  ["stalled", 80, "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB       0 B/s"],
  ["stalled", 40, "ubunt….iso  45%       0 B/s"],
  ["stalled", 20, "ubuntu-…d64.iso  45%"],
  ["complete", 80, "ubuntu-2…d64.iso 100% [================]    1.2/1.2 GiB  12.3 MiB/s"],
  ["complete", 40, "ubunt….iso 100%  12.3 MiB/s"],
  ["complete", 20, "ubuntu-…d64.iso 100%"],
  ["empty", 80, "ubuntu-2…d64.iso 100% [================]          0/0 B"],
  ["empty", 40, "ubunt….iso 100%"],
  ["empty", 20, "ubuntu-…d64.iso 100%"],
  ["slow", 80, "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB       1 B/s    >10h left"],
  ["slow", 40, "ubunt….iso  45%       1 B/s    >10h left"],
  ["slow", 20, "ubuntu-…d64.iso  45%"],
  ["longer", 80, "ubuntu-2…d64.iso 100% [================]    1.2/1.2 GiB  12.3 MiB/s"],
  ["longer", 40, "ubunt….iso 100%  12.3 MiB/s"],
  ["longer", 20, "ubuntu-…d64.iso 100%"],
] as const)("a running document's line: %s, at %d columns", (what, columns, line) => {
  expect(barLine(name, all[what], columns)).toBe(line);
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
      expect(line.length).toBeLessThanOrEqual(80);
    }),
  );
});

test("no bar is wider than it may be, whatever the figures and the name", () => {
  const figures = fc.record({
    position: fc.maxSafeNat(),
    size: fc.option(fc.maxSafeNat(), { nil: undefined }),
    rate: fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { nil: undefined }),
    elapsedSeconds: fc.double({ min: 0, max: 1e7, noNaN: true }),
  });
  const names = fc.string({ unit: fc.constantFrom("a", ".", "ü", "東") });
  fc.assert(
    fc.property(names, figures, fc.nat(130), (anyName, anyFigures, columns) => {
      expect(textWidth(barLine(anyName, anyFigures, columns))).toBeLessThanOrEqual(columns);
    }),
  );
});
