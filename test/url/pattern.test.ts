import { describe, expect, test } from "vitest";
import { decoderFor } from "../../src/text/encoding.ts";
import { parseGlob } from "../../src/text/glob.ts";
import { parseFtpUrl } from "../../src/url/ftp-url.ts";
import { patternIn } from "../../src/url/pattern.ts";
import { usageError } from "./usage-error.ts";

const pattern = (path: string): string | undefined =>
  patternIn(parseFtpUrl(`ftp://h${path}`), decoderFor(undefined));

test.each([
  ["/", undefined],
  ["/x", undefined],
  ["/%2A", undefined],
  ["/%5Ba%5D", undefined],
  ["/a[b", undefined],
  ["/a]b", undefined],
  ["/*", "*"],
  ["/[ab].txt", "[ab].txt"],
  ["/d/*.txt;type=a", "*.txt"],
  ["/%2A*", "\\**"],
  ["/%5B*", "\\[*"],
  ["/%3F*", "\\?*"],
  ["/%41*", "A*"],
  ["/%C3%BC*", "ü*"],
  ["/ü*", "ü*"],
  ["/[a%2Dc]", "[a\\-c]"],
])("%s: %s", (path, expected) => {
  expect(pattern(path)).toBe(expected);
});

describe("what is percent-encoded stands for itself", () => {
  test.each([
    ["/%2A*", "*x", "xx"],
    ["/[ab]%5B*", "a[x", "ax"],
    ["/%5D[x]", "]x", "x"],
    ["/[%5Da]", "]", "b"],
    ["/[%2A]", "*", "["],
    ["/[%5B]", "[", "x"],
    ["/[a%5D]", "]", "a]"],
    ["/[%21a]", "!", "b"],
    ["/[a%2Dc]", "-", "b"],
  ])("%s matches %s, not %s", (path, yes, no) => {
    const glob = parseGlob(pattern(path)!);
    expect([glob.matches(yes), glob.matches(no)]).toEqual([true, false]);
  });
});

test.each([
  ["/*/x", 'a pattern such as "*" can only stand in the last segment of a URL'],
  ["/[a]/x", 'a pattern such as "[a]" can only stand in the last segment of a URL'],
  ["/*/*", 'a pattern such as "*" can only stand in the last segment of a URL'],
  ["/*;type=d", '";type=d" and the pattern "*" contradict each other'],
])("%s: %s", (path, message) => {
  const hint = "write * as %2A and [ as %5B, or give --no-glob, where they belong to a name";
  expect(usageError(() => pattern(path))).toMatchObject({ message, hint });
});
