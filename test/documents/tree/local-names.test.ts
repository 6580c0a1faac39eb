import { describe, expect, test } from "vitest";
import { ownersAmong } from "../../../src/documents/tree/local-names.ts";
import { localName } from "../../../src/files/names.ts";

const utf8 = (octets: string) => Buffer.from(octets, "latin1").toString();

describe("each local name has one owner", () => {
  test.each([
    ["names that differ", ["a", "b", "A"], ["a", "b", "A"]],
    ["a control character", ["a\x01", "a%01"], ["a\x01", "a\x01"]],
    ["the other way", ["a%01", "a\x01"], ["a\x01", "a\x01"]],
    ["three", ["a/x", "b/x", "c/x"], ["a/x", "a/x", "a/x"]],
    ["the same entry twice", ["a", "a"], ["a", "a"]],
  ])("%s", (_claim, names, expected) => {
    const ownerOf = ownersAmong(names, (octets) => localName(octets, utf8, "linux"));
    expect(names.map(ownerOf)).toEqual(expected);
  });
});
