import { describe, expect, test } from "vitest";
import { ownersAmong, withoutCase } from "../../../src/documents/tree/local-names.ts";
import { localName } from "../../../src/files/names.ts";

function owners(names: readonly string[], ignoresCase: boolean): string[] {
  const utf8 = (octets: string) => Buffer.from(octets, "latin1").toString();
  const local = (octets: string) => localName(octets, utf8, "linux");
  const ownerOf = ownersAmong(names, (octets) =>
    ignoresCase ? withoutCase(local(octets)) : local(octets),
  );
  return names.map(ownerOf);
}

const octets = (text: string) => Buffer.from(text).toString("latin1");

describe("each local name has one owner", () => {
  test.each([
    ["names that differ", ["a", "b"], false, ["a", "b"]],
    ["case", ["a", "A"], false, ["a", "A"]],
    ["case that is ignored", ["a", "A", "b"], true, ["A", "A", "b"]],
    ["case that is ignored, the other way", ["A", "a"], true, ["A", "A"]],
    ["case beyond ASCII", [octets("Ü"), octets("ü")], true, [octets("Ü"), octets("Ü")]],
    [
      "composed and decomposed",
      [octets("\u00fc"), octets("u\u0308")],
      true,
      [octets("\u00fc"), octets("\u00fc")],
    ],
    ["three", ["AB", "Ab", "aB"], true, ["AB", "AB", "AB"]],
    ["a control character", ["a\x01", "a%01"], false, ["a\x01", "a\x01"]],
    ["the same entry twice", ["A", "A"], true, ["A", "A"]],
  ])("%s", (_claim, names, ignoresCase, expected) => {
    expect(owners(names, ignoresCase)).toEqual(expected);
  });
});
