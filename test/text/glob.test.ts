import { describe, expect, test } from "vitest";
import { hasWildcard, parseGlob } from "../../src/text/glob.ts";

const matches = (pattern: string, name: string): boolean => parseGlob(pattern).matches(name);

describe("a pattern", () => {
  test.each([
    ["*", ""],
    ["*.txt", "a.txt"],
    ["a*b*c", "a1b2bc"],
    ["?", "ü"],
    ["[ab]c", "bc"],
    ["[a-c]", "b"],
    ["[c-a-]", "-"],
    ["[!a]", "b"],
    ["[^a]", "b"],
    ["[]]", "]"],
    ["[!]]", "a"],
    ["[*]", "*"],
    ["[[]", "["],
    ["[a", "[a"],
    ["[]", "[]"],
    ["\\*", "*"],
    ["\\", "\\"],
    ["\\\\", "\\"],
    ["[\\]]", "]"],
    ["[a\\-c]", "-"],
    ["[\\a-c]", "b"],
    ["[!]", "[!]"],
    ["a+(b)|c.$^", "a+(b)|c.$^"],
  ])("%s matches %j", (pattern, name) => {
    expect(matches(pattern, name)).toBe(true);
  });

  test.each([
    ["*.txt", "a.txt.zip"],
    ["*.txt", "a.TXT"],
    ["?", ""],
    ["a", "ab"],
    ["[ab]", "c"],
    ["[!a]", "a"],
    ["[z-a]", "m"],
    ["\\*", "x"],
    ["[a\\-c]", "b"],
    [".", "x"],
  ])("%s doesn't match %j", (pattern, name) => {
    expect(matches(pattern, name)).toBe(false);
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
