import { expect, test } from "vitest";
import { fitText, textWidth } from "../../src/terminal/lines.ts";

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
  ["ubuntu-24.04.iso", 12, "ubuntu-24.04"],
  ["ubuntu-24.04.iso", -3, ""],
  ["東京東京東京.iso", 9, "東京東京 "],
])("%s in %d columns is %j", (text, columns, fitted) => {
  expect(fitText(text, columns)).toBe(fitted);
});
