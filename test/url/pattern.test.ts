import { expect, test } from "vitest";
import { hints } from "../../src/hints.ts";
import { decoderFor } from "../../src/text/encoding.ts";
import { parseGlob } from "../../src/text/glob.ts";
import { formatFtpUrl } from "../../src/url/format.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { directoryOfPatterns, patternsIn } from "../../src/url/pattern.ts";
import { usageError } from "./usage-error.ts";

const patterns = (path: string): string[] =>
  patternsIn(parseFtpUrl(`ftp://h${path}`), decoderFor(undefined));

test("raw characters of a pattern are text, whatever the encoding of the server's names", () => {
  expect(patternsIn(parseFtpUrl("ftp://h/ü%FC*"), decoderFor("latin1"))).toEqual(["üü*"]);
});

test.each([
  ["/*", "/"],
  ["/a/b*/c", "/a/"],
  ["/a/*/b/", "/a/"],
  ["/a/*//b", "/a/"],
  ["//a//*//", "//a//"],
])("the first pattern of %s is matched in %s", (path, directory) => {
  expect(formatFtpUrl(directoryOfPatterns(parseFtpUrl(`ftp://h${path}`)))).toBe(
    `ftp://h${directory}`,
  );
});

const pattern = (path: string): string | undefined => patterns(path)[0];

test.each([
  ["/", undefined],
  ["/x", undefined],
  ["/%2A", undefined],
  ["/a[b", undefined],
  ["/*", "*"],
  ["/[ab].txt", "[ab].txt"],
  ["/d/*.txt;type=a", "*.txt"],
  ["/%2A*", "\\**"],
  ["/%5B*", "\\[*"],
  ["/%41*", "A*"],
  ["/ü*", "ü*"],
  ["/[a%2Dc]", "[a\\-c]"],
])("%s: %s", (path, expected) => {
  expect(pattern(path)).toBe(expected);
});

test.each([
  ["/%2A*", "*x", "xx"],
  ["/[ab]%5B*", "a[x", "ax"],
  ["/%5D[x]", "]x", "x"],
  ["/[%2A]", "*", "["],
  ["/[a%5D]", "]", "a]"],
  ["/[a%2Dc]", "-", "b"],
])("what is percent-encoded stands for itself: %s matches %s, not %s", (path, yes, no) => {
  const glob = parseGlob(pattern(path)!);
  expect([glob.matches(yes), glob.matches(no)]).toEqual([true, false]);
});

test.each([
  ["/a/*/x", ["*", "x"]],
  ["/[a]/%2A/b%20c/*.gz", ["[a]", "\\*", "b c", "*.gz"]],
  ["/*//x", ["*", "x"]],
  ["/*/", ["*/"]],
  ["/*/x/", ["*", "x/"]],
])("%s: a glob for each segment from the first pattern on", (path, expected) => {
  expect(patterns(path)).toEqual(expected);
});

test.each([
  ["/*/../x", '".." can\'t stand behind the pattern "*"'],
  ["/[a]/%2E%2e/*", '"%2E%2e" can\'t stand behind the pattern "[a]"'],
  ["/*;type=d", '";type=d" and the pattern "*" contradict each other'],
  ["/*/x;type=d", '";type=d" and the pattern "*" contradict each other'],
])("%s: %s", (path, message) => {
  const hint = hints.noGlob;
  expect(usageError(() => patterns(path))).toMatchObject({ message, hint });
});
