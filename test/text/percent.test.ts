import { expect, test } from "vitest";
import { checkPercent, decodeOctets, percentEncoded, utf8Octets } from "../../src/text/percent.ts";
import { usageError } from "../url/usage-error.ts";

test.each([
  ["an octet stays one octet", "%E7", "\xe7"],
  ["hexadecimal digits in either case", "%e7%2F%2f", "\xe7//"],
  ["a raw character is its UTF-8", "ü東😀", "\xc3\xbc\xe6\x9d\xb1\xf0\x9f\x98\x80"],
  ["half a surrogate pair is U+FFFD", "\ud800", "\xef\xbf\xbd"],
  ["a decoded % begins nothing", "%2541", "%41"],
  ["a plus sign is no space", "a+b", "a+b"],
])("U15 %s", (_claim, text, octets) => {
  expect(decodeOctets(text)).toBe(octets);
});

test("S10 an encoder sees runs of raw characters, never percent-encodings", () => {
  expect(decodeOctets("aüé%FFb東", (characters) => `<${characters.length}>`)).toBe("a<2>\xffb<1>");
});

test.each([
  ["a b", "%61%20%62"],
  ["ü", "%C3%BC"],
  ["\n\0", "%0A%00"],
])("%j is encoded as %s", (text, encoded) => {
  expect(percentEncoded(text)).toBe(encoded);
  expect(decodeOctets(encoded)).toBe(utf8Octets(text));
});

test.each(["%", "a%", "%2", "%zz", "%2z", "%%25", "%u0041"])("U13 refuses %j", (text) => {
  expect(usageError(() => checkPercent(text)).message).toContain("percent-encoding");
});

test.each(["%0d", "%0D", "%0A", "%00", "\r", "\n", "\0"])("U14 refuses %j", (text) => {
  const { message } = usageError(() => checkPercent(`ab${text}`));
  expect(message).toMatch(/cannot be sent$/);
});
