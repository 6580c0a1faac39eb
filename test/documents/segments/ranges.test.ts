import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leastOctets, type Range, Ranges } from "../../../src/documents/segments/ranges.ts";
import { octetsIn, type Gap } from "../../../src/files/gaps.ts";

/** Ranges of 10 octets or more, so that the numbers can be read. */
const ranges = (missing: readonly Gap[], parts: number) => new Ranges(missing, parts, 10);
const borders = (range: Range | undefined) => range && `${range.position}-${range.end}`;

describe("what is missing is divided", () => {
  test.each<[missing: Gap[], parts: number, divided: Gap[]]>([
    [[[0, 100]], 1, [[0, 100]]],
    [[[0, 100]], 2, [[0, 50], [50, 100]]], // prettier-ignore
    [[[0, 100]], 3, [[0, 33], [33, 66], [66, 100]]], // prettier-ignore
    [[[0, 25]], 4, [[0, 12], [12, 25]]], // prettier-ignore
    [[[0, 19]], 4, [[0, 19]]],
    [[[40, 80]], 2, [[40, 60], [60, 80]]], // prettier-ignore
    [[[0, 4], [50, 100]], 2, [[0, 4], [50, 75], [75, 100]]], // prettier-ignore
    [[[0, 30], [50, 80]], 1, [[0, 30], [50, 80]]], // prettier-ignore
    [[], 3, []],
  ])("%j in %i parts: %j", (missing, parts, divided) => {
    expect(ranges(missing, parts).missing).toEqual(divided);
  });

  test("into ranges of 1 MiB at least, unless said otherwise", () => {
    expect(leastOctets).toBe(2 ** 20);
    expect(new Ranges([[0, 2 * 2 ** 20 - 1]], 9).missing).toHaveLength(1);
    expect(new Ranges([[0, 2 * 2 ** 20]], 9).missing).toHaveLength(2);
  });
});

describe("a worker without a range", () => {
  test("takes the first one that nobody is at", () => {
    const all = ranges([[0, 60]], 3);
    expect([all.take(), all.take(), all.take()].map(borders)).toEqual(["0-20", "20-40", "40-60"]);
  });

  test("then the second half of the one with most left", () => {
    const all = ranges([[0, 100]], 2);
    const [first, second] = [all.take()!, all.take()!];
    all.advance(first, 1);
    expect(borders(all.take())).toBe("75-100");
    expect([first, second].map(borders)).toEqual(["1-50", "50-75"]);
    expect(all.missing.map(([start]) => start)).toEqual([1, 50, 75]);
  });

  test("nothing where both halves would be too small", () => {
    const all = ranges([[0, 38]], 2);
    all.take();
    all.take();
    expect(all.take()).toBeUndefined();
  });

  test("half where each half is just large enough", () => {
    const all = ranges([[0, 20]], 1);
    all.take();
    expect(borders(all.take())).toBe("10-20");
  });

  test("what another one left behind", () => {
    const all = ranges([[0, 40]], 2);
    const [first] = [all.take()!, all.take()!];
    all.advance(first, 15);
    all.release(first);
    expect(borders(all.take())).toBe("15-20");
  });
});

describe("a worker at the end of its range", () => {
  test("goes on into the next one, where nobody is at it", () => {
    const all = ranges([[0, 60]], 3);
    const first = all.take()!;
    expect([all.extend(first), all.extend(first), all.extend(first)]).toEqual([true, true, false]);
    expect(borders(first)).toBe("0-60");
  });

  test.each<[string, (all: Ranges, second: Range) => void]>([
    ["is at it", () => {}],
    ["has been at it", (all, second) => (all.advance(second, 1), all.release(second))],
    ["has fetched it", (all, second) => (all.advance(second, 20), all.release(second))],
  ])("not where somebody %s", (_, change) => {
    const all = ranges([[0, 60]], 3);
    const [first, second] = [all.take()!, all.take()!];
    change(all, second);
    expect(all.extend(first)).toBe(false);
  });
});

test("a finished range that was given back takes nothing from the others", () => {
  const all = ranges([[0, 60]], 3);
  const first = all.take()!;
  all.advance(first, 20);
  all.release(first);
  const late = [() => all.advance(first, 5), () => all.release(first)];
  for (const act of late) act();
  expect(all.extend(first)).toBe(false);
  expect(all.missing).toEqual([
    [20, 40],
    [40, 60],
  ]);
});

test("what is here is known octet by octet", () => {
  const all = ranges([[10, 60]], 2);
  const first = all.take()!;
  all.advance(first, 5);
  const has = (start: number, end: number) => all.has(start, end);
  expect([has(0, 10), has(0, 15), has(0, 16), has(14, 15)]).toEqual([true, true, false, true]);
  expect([has(59, 60), has(60, 70), has(34, 36)]).toEqual([false, true, false]);
});

test("a range that is fetched but not given back is missing no more, and keeps a worker busy", () => {
  const all = ranges([[0, 60]], 3);
  expect(all.isBusy).toBe(false);
  const first = all.take()!;
  all.advance(first, 20);
  expect([all.missing[0], all.isBusy]).toEqual([[20, 40], true]);
  all.release(first);
  expect(all.isBusy).toBe(false);
});

const step = fc.oneof(
  fc.record({ do: fc.constant("take" as const) }),
  fc.record({ do: fc.constant("advance" as const), who: fc.nat(9), octets: fc.nat(30) }),
  fc.record({ do: fc.constant("extend" as const), who: fc.nat(9) }),
  fc.record({ do: fc.constant("release" as const), who: fc.nat(9) }),
);

const gaps = fc
  .uniqueArray(fc.nat(400), { minLength: 2, maxLength: 8 })
  .map((numbers) => numbers.toSorted((one, other) => one - other))
  .map((sorted) =>
    Array.from({ length: sorted.length >> 1 }, (_, at): Gap => [
      sorted[2 * at]!,
      sorted[2 * at + 1]!,
    ]),
  );

/** Workers at one file, and how often each octet was fetched. */
class SegmentedDownload {
  readonly all: Ranges;
  readonly fetched = new Map<number, number>();
  readonly #taken: Range[] = [];

  constructor(all: Ranges) {
    this.all = all;
  }

  take(): boolean {
    const range = this.all.take();
    if (range !== undefined) this.#taken.push(range);
    return range !== undefined;
  }

  act(action: { do: string; who?: number; octets?: number }): void {
    if (action.do === "take") return void this.take();
    const range = this.#taken[(action.who ?? 0) % this.#taken.length];
    if (range === undefined) return;
    if (action.do === "advance") this.advance(range, action.octets ?? 0);
    else if (action.do === "extend") this.all.extend(range);
    else this.release(range);
  }

  advance(range: Range, octets: number): void {
    const count = Math.min(octets, range.end - range.position);
    for (let at = range.position; at < range.position + count; at++)
      this.fetched.set(at, (this.fetched.get(at) ?? 0) + 1);
    this.all.advance(range, count);
  }

  release(range: Range): void {
    this.all.release(range);
    this.#taken.splice(this.#taken.indexOf(range), 1);
  }

  finish(): void {
    for (const range of this.#taken.slice()) this.release(range);
    while (this.take()) {
      const [range] = this.#taken;
      this.advance(range!, Infinity);
      this.release(range!);
    }
  }
}

describe("whatever the workers do", () => {
  test("each missing octet is fetched exactly once, and no other", () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6 }), fc.array(step), (missing, parts, steps) => {
        const crew = new SegmentedDownload(ranges(missing, parts));
        for (const action of steps) crew.act(action);
        crew.finish();
        expect(crew.all.left).toBe(0);
        expect([...crew.fetched.values()].every((count) => count === 1)).toBe(true);
        expect(crew.fetched.size).toBe(octetsIn(missing));
        const before = ranges(missing, parts);
        expect([...crew.fetched.keys()].some((at) => before.has(at, at + 1))).toBe(false);
      }),
    );
  });

  test("what is missing and what was fetched make up the whole, at every moment", () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6 }), fc.array(step), (missing, parts, steps) => {
        const crew = new SegmentedDownload(ranges(missing, parts));
        for (const action of steps) {
          crew.act(action);
          expect(crew.all.left).toBe(octetsIn(crew.all.missing));
          expect(crew.all.left + crew.fetched.size).toBe(octetsIn(missing));
          const again = [...crew.fetched.keys()].some((at) => !crew.all.has(at, at + 1));
          expect(again).toBe(false);
        }
      }),
    );
  });

  test("others made from what is missing have the same to do", () => {
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 6 }), fc.array(step), (missing, parts, steps) => {
        const crew = new SegmentedDownload(ranges(missing, parts));
        for (const action of steps) crew.act(action);
        const later = new SegmentedDownload(ranges(crew.all.missing, parts));
        later.finish();
        expect(new Set([...crew.fetched.keys(), ...later.fetched.keys()]).size).toBe(
          octetsIn(missing),
        );
        expect([...later.fetched.keys()].some((at) => crew.fetched.has(at))).toBe(false);
      }),
    );
  });
});
