import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeInFileName,
  encodeInUrl,
  escapeControls,
  jsonString,
} from "../../src/text/escape.ts";

test.each([
  ["an escape sequence", "\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
  ["line ends and tabs", "a\r\nb\tc", "a\\x0d\\x0ab\\x09c"],
  ["NUL, backspace and DEL", "\0\b\x7f", "\\x00\\x08\\x7f"],
  ["a C1 control (CSI in one character)", "\u009b2J", "\\x9b2J"],
  ["an override that turns text round", "txt.\u202eexe", "txt.\\u202eexe"],
  ["direction marks", "\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"],
  ["zero width", "a\u200bb\u2060\ufeff", "a\\u200bb\\u2060\\ufeff"],
  ["a filler that is blank", "a\u3164", "a\\u3164"],
  ["lone surrogates", "\ud83d.\ude00", "\\ud83d.\\ude00"],
  ["variation selectors", "a\ufe0f\u{e0100}", "a\\ufe0f\\u{e0100}"],
])("escapeControls shows what it takes out: %s", (_what, text, shown) => {
  expect(escapeControls(text)).toBe(shown);
});

test.each(["", "plain text", "C:\\x1b", "Grüße", "東京.txt", "עברית", "e\u0301", "😀", "a\u00a0b"])(
  "harmless text stays as it is: %j",
  (text) => {
    expect(escapeControls(text)).toBe(text);
  },
);

test.each([
  ["Persian", "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ["Hindi", "\u0915\u094d\u200d\u0937"],
  ["emoji", "\u{1f468}\u200d\u{1f33e}"],
])("joiners and non-joiners are letters' neighbours, and stay: %s", (_where, text) => {
  for (const escape of [escapeControls, encodeInUrl, encodeInFileName])
    expect(escape(text)).toBe(text);
  expect(jsonString(text)).toBe(`"${text}"`);
});

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

test("nothing that steers a terminal or can't be seen is left (X4)", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(Array.from(escapeControls(text)).filter(isDangerous)).toEqual([]);
    }),
  );
});

const dangerousRanges = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
] as const;

function isDangerous(character: string): boolean {
  const codePoint = character.codePointAt(0) ?? 0;
  return dangerousRanges.some(([first, last]) => first <= codePoint && codePoint <= last);
}

test("each character of the dangerous ranges is escaped", () => {
  for (const [first, last] of dangerousRanges)
    for (let codePoint = first; codePoint <= last; codePoint++)
      expect(escapeControls(String.fromCodePoint(codePoint))).toMatch(/^\\[xu]/);
});

describe("each use has its own set and its own way to write it", () => {
  test.each<[string, (text: string) => string, string]>([
    ["terminal", escapeControls, "\\x1b \\u202e \\u3164 \\ufe0f \\u{e0041} \\ud83d \u3000"],
    ["a URL", encodeInUrl, "%1B %E2%80%AE %E3%85%A4 %EF%B8%8F %F3%A0%81%81 %EF%BF%BD %E3%80%80"],
    ["a file", encodeInFileName, "%1B %E2%80%AE \u3164 \ufe0f %F3%A0%81%81 \ud83d \u3000"],
    ["JSON", jsonString, `"\\u001b \\u202e \\u3164 \\ufe0f \\udb40\\udc41 \\ud83d \u3000"`],
  ])("%s", (_use, escape, expected) => {
    const spaced = escape("\x1b\t\u202e\t\u3164\t\ufe0f\t\u{e0041}\t\ud83d\t\u3000");
    expect(spaced.replaceAll(/%09|\\x09|\\t/g, " ")).toBe(expected);
  });

  test("JSON is read back unchanged", () => {
    fc.assert(fc.property(texts, (text) => JSON.parse(jsonString(text)) === text));
  });
});
