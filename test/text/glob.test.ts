import { describe, expect, test } from "vitest";
import { hasWildcard, parseGlob } from "../../src/text/glob.ts";

const matches = (pattern: string, name: string): boolean => parseGlob(pattern).matches(name);

describe("a pattern", () => {
  test.each([
    ["*", ""],
    ["*", "any.thing"],
    ["*.txt", "a.txt"],
    ["*.txt", ".txt"],
    ["a*b*c", "a1b2bc"],
    ["**", "x"],
    ["?", "ü"],
    ["?", "😀"],
    ["[ab]c", "bc"],
    ["[a-c]", "b"],
    ["[c-a-]", "-"],
    ["[!a]", "b"],
    ["[^a]", "b"],
    ["[]]", "]"],
    ["[!]]", "a"],
    ["[*]", "*"],
    ["[?]", "?"],
    ["[[]", "["],
    ["[a-]", "-"],
    ["[a", "[a"],
    ["a]", "a]"],
    ["[]", "[]"],
    ["\\*", "*"],
    ["\\", "\\"],
    ["\\\\", "\\"],
    ["[\\]]", "]"],
    ["[\\!a]", "!"],
    ["[a\\-c]", "-"],
    ["[\\a-c]", "b"],
    ["[a-\\c]", "b"],
    ["[!]", "[!]"],
    ["a*", "a"],
    ["a+(b)|c.$^", "a+(b)|c.$^"],
  ])("%s matches %j", (pattern, name) => {
    expect(matches(pattern, name)).toBe(true);
  });

  test.each([
    ["*.txt", "a.txt.zip"],
    ["*.txt", "a.TXT"],
    ["?", ""],
    ["?", "ab"],
    ["a", "ab"],
    ["[ab]", "c"],
    ["[ab]", ""],
    ["[!a]", "a"],
    ["[!a]", ""],
    ["[z-a]", "m"],
    ["\\*", "x"],
    ["[a\\-c]", "b"],
    ["", "a"],
    ["a*b", "a"],
    [".", "x"],
  ])("%s doesn't match %j", (pattern, name) => {
    expect(matches(pattern, name)).toBe(false);
  });

  test("takes linear time, whatever its stars", () => {
    const name = "a".repeat(20_000);
    expect(matches(`${"*a".repeat(200)}b`, name)).toBe(false);
  });
});

test.each([
  ["*", true],
  ["a?", true],
  ["[a]", true],
  [".txt", false],
  ["name", false],
])("%s has a wildcard: %s", (element, expected) => {
  expect(hasWildcard(element)).toBe(expected);
});
