import { expect, it } from "vitest";
import { coarseTime, factsOfEntry } from "../../../src/documents/tree/listed-facts.ts";
import type { TreeEntry } from "../../../src/documents/tree/tree-listing.ts";

const modified = new Date("2020-02-02T02:02:00Z");
const entry = { name: "x", type: "file", size: 5, seconds: modified.getTime() / 1000 } as const;
const plan = { cwds: [], name: "x", action: "retrieve", conversion: "none" } as const;
const listing = "listing" as const;

it.each<[claim: string, of: Partial<TreeEntry>, image: object, text: object, unit?: number]>([
  [
    "exact facts leave nothing to be asked",
    { precision: "exact" },
    { size: 5, modified, source: "server" },
    { modified, source: "server" },
  ],
  [
    "both have to be there",
    { precision: "exact", size: undefined },
    { source: listing },
    { source: listing },
  ],
  [
    "a time to the minute leaves all to be asked",
    { precision: "minute" },
    { size: 5, source: listing },
    { source: listing },
    60,
  ],
  [
    "so does one to the day",
    { precision: "day" },
    { size: 5, source: listing },
    { source: listing },
    86_400,
  ],
])("%s", (_claim, of, image, text, unit) => {
  const listed: TreeEntry = { ...entry, precision: "minute", ...of };
  expect(factsOfEntry({ ...plan, type: "I" }, listed)).toEqual(image);
  // In text no size counts.
  expect(factsOfEntry({ ...plan, type: "A" }, listed)).toEqual(text);
  expect(coarseTime(listed)).toEqual(unit && { modified, unit });
});
