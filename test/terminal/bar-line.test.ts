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

test.each([
  [
    "running",
    running,
    80,
    "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB  12.3 MiB/s     54s left",
  ],
  ["running", running, 40, "ubunt….iso  45%  12.3 MiB/s     54s left"],
  ["running", running, 20, "ubuntu-…d64.iso  45%"],
  [
    "unsized",
    unsized,
    80,
    "ubuntu-24.04-desktop-amd64.iso                      540 MiB  12.3 MiB/s      44s",
  ],
  ["unsized", unsized, 40, "ubun….iso   540 MiB  12.3 MiB/s      44s"],
  ["unsized", unsized, 20, "ubunt….iso   540 MiB"],
  ["starting", starting, 80, "ubuntu-2…d64.iso   0% [                ]    0.0/1.2 GiB"],
  ["starting", starting, 40, "ubunt….iso   0%"],
  ["starting", starting, 20, "ubuntu-…d64.iso   0%"],
  ["stalled", stalled, 80, "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB       0 B/s"],
  ["stalled", stalled, 40, "ubunt….iso  45%       0 B/s"],
  ["stalled", stalled, 20, "ubuntu-…d64.iso  45%"],
  ["complete", complete, 80, "ubuntu-2…d64.iso 100% [================]    1.2/1.2 GiB  12.3 MiB/s"],
  ["complete", complete, 40, "ubunt….iso 100%  12.3 MiB/s"],
  ["complete", complete, 20, "ubuntu-…d64.iso 100%"],
  ["empty", empty, 80, "ubuntu-2…d64.iso 100% [================]          0/0 B"],
  ["empty", empty, 40, "ubunt….iso 100%"],
  ["empty", empty, 20, "ubuntu-…d64.iso 100%"],
  [
    "slow",
    slow,
    80,
    "ubuntu-2…d64.iso  45% [======>         ]    0.5/1.2 GiB       1 B/s    >10h left",
  ],
  ["slow", slow, 40, "ubunt….iso  45%       1 B/s    >10h left"],
  ["slow", slow, 20, "ubuntu-…d64.iso  45%"],
  ["longer", longer, 80, "ubuntu-2…d64.iso 100% [================]    1.2/1.2 GiB  12.3 MiB/s"],
  ["longer", longer, 40, "ubunt….iso 100%  12.3 MiB/s"],
  ["longer", longer, 20, "ubuntu-…d64.iso 100%"],
])("a running document's line: %s, at %d columns", (_what, figures, columns, line) => {
  expect(barLine(name, figures, columns)).toBe(line);
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
