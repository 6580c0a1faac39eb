import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Blocks, leastOctets } from "../../../src/documents/segments/blocks.ts";
import type { Range } from "../../../src/documents/file/range-receiver.ts";

/** Blocks of 10 bytes or more, so that the numbers can be read. */
const blocks = (offset: number, size: number, connections: number) =>
  new Blocks(offset, size, connections, 10);

function allOf(from: Blocks): string[] {
  const taken: string[] = [];
  for (let block; (block = from.take());) taken.push(`${block.position}-${block.end}`);
  return taken;
}

describe("a file's blocks come in its order", () => {
  test.each<[offset: number, size: number, connections: number, expected: string[]]>([
    [0, 80, 2, ["0-10", "10-20", "20-30", "30-40", "40-50", "50-60", "60-70", "70-80"]],
    [40, 80, 1, ["40-50", "50-60", "60-70", "70-80"]],
    [0, 25, 4, ["0-10", "10-25"]],
    [0, 15, 4, ["0-15"]],
    [80, 80, 2, []],
  ])("from %i to %i for %i connections: %j", (offset, size, connections, expected) => {
    expect(allOf(blocks(offset, size, connections))).toEqual(expected);
  });

  test("a quarter of a connection's share, and at least 1 MiB", () => {
    expect(allOf(new Blocks(0, 64 * leastOctets, 4))).toHaveLength(16);
    expect(allOf(new Blocks(0, 4 * leastOctets, 4))).toHaveLength(4);
  });
});

test("what a broken connection left is fetched next, and shows up to where all is stored", () => {
  const all = blocks(0, 40, 1);
  const [first, second] = [all.take()!, all.take()!];
  all.release({ position: 7, end: first.end });
  all.release({ ...second, position: second.end });
  expect([all.end, all.isBusy, all.isWhole]).toEqual([7, false, false]);
  expect(all.take()).toEqual({ position: 7, end: 10 });
});

test("whatever the connections do, each byte is fetched once", () => {
  const step = fc.record({ takes: fc.boolean(), who: fc.nat(9), octets: fc.nat(30) });
  const sizes = fc.tuple(fc.nat(50), fc.nat(300), fc.integer({ min: 1, max: 6 }));
  fc.assert(
    fc.property(sizes, fc.array(step), ([offset, length, connections], steps) => {
      const all = blocks(offset, offset + length, connections);
      const taken: Range[] = [];
      let fetched = 0;
      const release = (index: number, octets: number): void => {
        const { position, end } = taken.splice(index, 1)[0]!;
        const reached = Math.min(end, position + octets);
        fetched += reached - position;
        all.release({ position: reached, end });
      };
      const take = (): boolean => {
        const block = all.take();
        if (block !== undefined) taken.push(block);
        return block !== undefined;
      };
      for (const { takes, who, octets } of steps) {
        if (takes) take();
        else if (taken.length > 0) release(who % taken.length, octets);
      }
      do while (taken.length > 0) release(0, Infinity);
      while (take());
      expect([fetched, all.end, all.isWhole]).toEqual([length, offset + length, true]);
    }),
  );
});
