import { expect, test } from "vitest";
import { isUnchanged } from "../../../src/documents/file/facts.ts";

const noon = "2024-05-06T12:00:00Z";
const later = "2024-05-06T12:00:01Z";

test.each([
  ["the same", 10, noon, 10, noon, false],
  ["newer", 10, later, 10, noon, true],
  ["older", 10, noon, 10, later, false],
  ["older, but of another size", 11, noon, 10, later, true],
  ["smaller", 9, noon, 10, noon, true],
  ["newer by less than a second", 10, "2024-05-06T12:00:00.900Z", 10, noon, false],
  ["empty, and so is the file here", 0, noon, 0, noon, false],
  ["empty, and the file here isn't", 0, noon, 10, noon, true],
  ["newer, of unknown size", undefined, later, 10, noon, true],
  ["as old, of unknown size", undefined, noon, 10, noon, false],
  ["of unknown age and the same size", 10, undefined, 10, noon, false],
  ["of unknown age and another size", 11, undefined, 10, noon, true],
  ["of unknown age and size", undefined, undefined, 10, noon, true],
])("the server's file is %s", (_claim, size, time, octets, localTime, expected) => {
  const local = { size: octets, mtime: new Date(localTime) };
  const facts = { size, modified: time === undefined ? undefined : new Date(time) };
  expect(isUnchanged(facts, local, "unless newer")).toBe(!expected);
});

test.each([
  ["the same", noon, noon, false],
  ["newer by 2 s, which FAT may have rounded", "2024-05-06T12:00:02Z", noon, false],
  ["older by 2 s", noon, "2024-05-06T12:00:02Z", false],
  ["newer by 3 s", "2024-05-06T12:00:03Z", noon, true],
  ["older by 3 s", noon, "2024-05-06T12:00:03Z", true],
])("in a tree, the server's file is %s", (_claim, time, localTime, expected) => {
  const local = { size: 10, mtime: new Date(localTime) };
  const facts = { size: 10, modified: new Date(time) };
  for (const rule of ["unless different", "if the same"] as const)
    expect(isUnchanged(facts, local, rule)).toBe(!expected);
});

test.each([
  ["the same minute", 60, "2024-05-06T12:00:59Z", false],
  ["another minute", 60, "2024-05-06T12:01:00Z", true],
  ["the same day", 86_400, "2024-05-06T23:59:59Z", false],
  ["another day", 86_400, "2024-05-07T00:00:00Z", true],
])("by a listing alone, the server's file is of %s", (_claim, unit, localTime, expected) => {
  const local = { size: 10, mtime: new Date(localTime) };
  const facts = { size: 10, modified: new Date(noon), unit };
  expect(isUnchanged(facts, local, "unless different")).toBe(!expected);
  expect(isUnchanged(facts, local, "if the same")).toBe(false);
});

test.each([
  ["size", { modified: new Date(noon) }],
  ["time", { size: 10 }],
])("with -c alone, a file of unknown %s isn't known to be the same", (_claim, facts) => {
  const local = { size: 10, mtime: new Date(noon) };
  expect(isUnchanged(facts, local, "unless different")).toBe(true);
  expect(isUnchanged(facts, local, "if the same")).toBe(false);
});
