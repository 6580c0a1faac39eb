/** The memory that is in use after a list of 100 MB; ten times less is far more than the noise. */
import { expect, test } from "vitest";
import { growthMB } from "../support/memory.ts";

const lists = "./test/checksums/support/long-lists.ts";

test.each(["aListForOtherDocuments", "aLineWithoutEnd"])("%s takes little memory", (name) => {
  expect(growthMB(lists, name)).toBeLessThan(10);
});
