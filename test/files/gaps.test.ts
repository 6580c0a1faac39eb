import { describe, expect, test } from "vitest";
import { endOfStored, octetsIn, parseGaps, type Gap } from "../../src/files/gaps.ts";

test.each<[gaps: Gap[], octets: number, end: number]>([
  [[], 0, 100],
  [[[0, 100]], 100, 0],
  [[[40, 100]], 60, 40],
  [[[40, 60]], 20, 100],
  [[[0, 10], [20, 30], [90, 100]], 30, 90], // prettier-ignore
  [[[10, 50], [50, 70], [70, 100]], 90, 10], // prettier-ignore
])("of 100 octets those without %j are %i less, and end before %i", (gaps, octets, end) => {
  expect(octetsIn(gaps)).toBe(octets);
  expect(endOfStored(gaps, 100)).toBe(end);
});

describe("the gaps of a note", () => {
  test.each<Gap[][]>([
    [[]],
    [[[0, 100]]],
    [[[1, 2], [2, 3], [50, 100]]], // prettier-ignore
  ])("are %j", (gaps) => {
    expect(parseGaps(gaps, 100)).toEqual(gaps);
  });

  test.each([
    ["no list", {}],
    ["no pairs", [1, 2]],
    ["a single number", [[1]]],
    ["three numbers", [[1, 2, 3]]],
    ["text", [["1", "2"]]],
    ["fractions", [[0.5, 2]]],
    ["an empty one", [[2, 2]]],
    ["the wrong way round", [[3, 2]]],
    ["below 0", [[-1, 2]]],
    ["beyond the size", [[90, 101]]],
    ["overlapping", [[1, 5], [4, 6]]], // prettier-ignore
    ["out of order", [[4, 6], [1, 2]]], // prettier-ignore
  ])("are not %s", (_, gaps) => {
    expect(parseGaps(gaps, 100)).toBeUndefined();
  });
});
