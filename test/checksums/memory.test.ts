/** The memory that is in use after long lists; the bound of a run with 400,000 lines is 200 MB. */
import { expect, test } from "vitest";
import { growthMB } from "../support/memory.ts";

const lists = "./test/checksums/support/long-lists.ts";

test.each([
  ["aLongList", 130],
  ["aLineWithoutEnd", 10],
])("%s takes less than %i MB", (name, most) => {
  expect(growthMB(lists, name)).toBeLessThan(most);
});
