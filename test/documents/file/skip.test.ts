/** Whether a file that is here stays, by the rule for existing files. */
import { type Stats, statSync } from "node:fs";
import { expect, test } from "vitest";
import { reasonToSkip } from "../../../src/documents/file/skip.ts";
import { existing } from "../../support/existing.ts";

const here = statSync(import.meta.filename);
const { size, mtime: modified } = here;
const directory = statSync(import.meta.dirname);
const same = { size, modified, source: "server" } as const;

test.each<[claim: string, by: keyof typeof existing, facts: object, Stats?, reason?: string]>([
  ["nothing here is fetched", "keep", same],
  ["-nc keeps whatever is here", "keep", {}, directory, "exists"],
  ["-f fetches what is unchanged", "force", same, here],
  ["what gets a number is fetched", "number", same, here],
  ["-N keeps what is unchanged", "newer", same, here, "unchanged"],
  ["-N replaces no directory by its facts", "newer", same, directory],
  ["-N needs more than a listing's size", "newer", { size, source: "listing" }, here],
  ["-c keeps what is the same", "continue", same, here, "unchanged"],
])("%s", (_claim, by, facts, local, reason) => {
  const rules = { existing: existing[by], hasTime: () => true };
  expect(reasonToSkip(facts, local, rules)).toBe(reason);
});

test("a file is left out by its time, unless that is coarse", () => {
  const rules = { existing: existing.keep, hasTime: (time?: Date) => time === undefined };
  expect(reasonToSkip(same, here, rules)).toBe("left out");
  expect(reasonToSkip({ ...same, unit: 60 }, here, rules)).toBe("exists");
});
