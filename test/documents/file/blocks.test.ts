import { describe, expect, test } from "vitest";
import { Blocks, leastOctets } from "../../../src/documents/file/blocks.ts";

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

test("the first gap that a broken connection left shows up to where all is stored", () => {
  const all = blocks(0, 30, 1);
  const [first, second, third] = [all.take()!, all.take()!, all.take()!];
  all.release({ ...second, position: 12 });
  all.release({ ...first, position: 7 });
  expect(all.end).toBe(7);
  all.release({ ...third, position: third.end });
  expect(all.end).toBe(7);
});

test("a file is whole once all blocks are", () => {
  const all = blocks(0, 30, 1);
  for (let block; (block = all.take());) all.release({ ...block, position: block.end });
  expect(all.end).toBe(30);
});
