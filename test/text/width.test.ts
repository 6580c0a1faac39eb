import fc from "fast-check";
import { expect, test } from "vitest";
import { fitText, isUtf8Locale, textWidth } from "../../src/text/width.ts";

test.each([
  ["", 0],
  ["abc", 3],
  ["Grüße", 5],
  ["e\u0301", 1],
  ["\u0646\u0645\u06cc\u200c\u062e", 4],
  ["\u0915\u094d\u200d\u0937", 2],
  ["東京.txt", 8],
  ["한글", 4],
  ["ｱ", 1],
  ["Ａ", 2],
  ["😀", 2],
  ["𠀀", 2],
  ["…", 1],
])("%s takes %d columns", (text, columns) => {
  expect(textWidth(text)).toBe(columns);
});

test.each([
  ["short.txt", 12, "short.txt   "],
  ["exact.txt", 9, "exact.txt"],
  ["ubuntu-24.04.iso", 12, "ubuntu…4.iso"],
  ["ubuntu-24.04.iso", 2, "u…"],
  ["ubuntu-24.04.iso", 1, "…"],
  ["ubuntu-24.04.iso", 0, ""],
  ["ubuntu-24.04.iso", -3, ""],
  ["東京東京東京.iso", 9, "東京東…so"],
  ["東京東京東京", 6, "東…京 "],
])("%s in %d columns is %j", (text, columns, fitted) => {
  expect(fitText(text, columns, "…")).toBe(fitted);
});

test.each([
  [12, "ubunt....iso"],
  [3, "..."],
  [2, ".."],
])("where the locale has no ellipsis there are dots: %d columns", (columns, fitted) => {
  expect(fitText("ubuntu-24.04.iso", columns, "...")).toBe(fitted);
});

test.each([
  [{ LC_ALL: "C", LANG: "de_DE.UTF-8" }, false],
  [{ LC_ALL: "", LC_CTYPE: "C.utf8" }, true],
  [{ LANG: "en_US.UTF-8" }, true],
  [{}, false],
])("the locale of %j has UTF-8: %s", (environment, expected) => {
  expect(isUtf8Locale(environment)).toBe(expected);
});

test("fitted text takes exactly its columns", () => {
  const texts = fc.string({ unit: fc.constantFrom("a", "ü", "東", "😀") });
  fc.assert(
    fc.property(texts, fc.nat(30), (text, columns) => {
      expect(textWidth(fitText(text, columns))).toBe(columns);
    }),
  );
});
