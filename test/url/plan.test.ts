import { describe, expect, test } from "vitest";
import { parseFtpUrl, withAdditions } from "../../src/url/ftp-url.ts";
import {
  conversionFor,
  hasRawCharacters,
  planIn,
  planOf,
  type Plan,
  type PlanOptions,
} from "../../src/url/plan.ts";
import { usageError } from "./usage-error.ts";

function plan(path: string, options: PlanOptions & { root?: boolean } = {}): Plan {
  return planOf(withAdditions(parseFtpUrl(`ftp://h${path}`), options), options);
}

test.each<[string, string, string[], string, (PlanOptions & { root?: boolean })?]>([
  ["P1 each cwd in order", "/a/b/c", ["a", "b"], "c"],
  ["U7 an encoded slash stays inside", "/a%2Fb/c%2Fd", ["a/b"], "c/d"],
  ["U8 no path", "", [], ""],
  ["U15 octets as they are, characters as UTF-8", "/%E7/ü", ["\xe7"], "\xc3\xbc"],
  ["U18 dot segments", "/./a/../b", [".", "a", ".."], "b"],
  ["P2 null cwds send nothing", "//etc//motd", ["etc"], "motd"],
  ["P2 --null-cwd sends them", "//etc//motd", ["", "etc", ""], "motd", { nullCwd: true }],
  ["P11 %2F alone", "/%2F/etc/motd", ["/", "etc"], "motd"],
  ["P11 --root", "/etc/motd", ["/", "etc"], "motd", { root: true }],
  ["P11 --root of nothing", "", ["/"], "", { root: true }],
  ["P11 --root and ~", "/~/x", ["."], "x", { root: true }],
  ["P11 --root and .", "/./x", ["."], "x", { root: true }],
  ["P11 --root and ~ later", "/a/~/x", ["/", "a", "~"], "x", { root: true }],
  ["P11 --root and --null-cwd", "//x", ["/", ""], "x", { root: true, nullCwd: true }],
])("cwds and name: %s", (_claim, path, cwds, name, options) => {
  expect(plan(path, options)).toMatchObject({ cwds, name });
});

describe("action, type and conversion", () => {
  test.each<[string, string, Plan["action"], string | undefined, Plan["conversion"]]>([
    ["P5 a null name is a listing", "/a/", "list", undefined, "none"],
    ["P5 whatever the typecode", "/a/;type=a", "list", "A", "ascii"],
    ["P5 whatever the typecode", "/a/;type=i", "list", "I", "none"],
    ["P5 with typecode d", "/a/;type=d", "list", undefined, "none"],
    ["P6 typecode d", "/a;type=d", "list", undefined, "none"],
    ["P7 typecode a", "/a;type=a", "retrieve", "A", "ascii"],
    ["P7 typecode e", "/a;type=e", "retrieve", "E", "ebcdic"],
    ["P7 typecode i", "/a;type=i", "retrieve", "I", "none"],
    ["P7 typecode u", "/a;type=u", "retrieve", "U", "net-unicode"],
    ["U10 typecode an", "/a;type=an", "retrieve", "A N", "ascii"],
    ["U10 typecode ec", "/a;type=ec", "retrieve", "E C", "ebcdic"],
    ["U10 typecode L36", "/a;type=L36", "retrieve", "L 36", "none"],
    ["P8 no typecode", "/a", "retrieve-or-list", "I", "none"],
    ["P12 image is the default", "/a.txt", "retrieve-or-list", "I", "none"],
  ])("%s: %s", (_claim, path, action, type, conversion) => {
    expect(plan(path)).toMatchObject({ action, type, conversion });
  });

  test.each([
    ["/README.TXT", "A", "ascii"],
    ["/index.html", "A", "ascii"],
    ["/a.txt.gz", "I", "none"],
    ["/README", "I", "none"],
    ["/a.txt;type=i", "I", "none"],
    ["/dir.txt/", undefined, "none"],
  ])("P12 --guess-type: %s is %s", (path, type, conversion) => {
    expect(plan(path, { guessType: true })).toMatchObject({ type, conversion });
  });
});

test("a directory's listing has no type, whatever its name looks like", () => {
  expect(planIn([], "a.txt", "list", undefined, { guessType: true }).type).toBe(undefined);
});

test.each([
  ["/x;type=a", "A", "ascii"],
  ["/x;type=a", "I", "none"],
  ["/x;type=e", "E", "ebcdic"],
  ["/x;type=e", undefined, "ascii"],
  ["/x;type=i", "A", "none"],
  ["/x;type=i", undefined, "none"],
])("P3 %s where type %s is in force: %s", (path, type, conversion) => {
  expect(conversionFor(plan(path), type)).toBe(conversion);
});

describe("S10 names in another encoding", () => {
  const encode = (characters: string): string =>
    Buffer.from(characters, "latin1").toString("latin1");

  test("raw characters are encoded, percent-decoded octets are not touched", () => {
    expect(plan("/ü%C3%BC/é", { encode })).toMatchObject({ cwds: ["\xfc\xc3\xbc"], name: "\xe9" });
  });

  test("U14 an encoding that brings a NUL is refused", () => {
    expect(usageError(() => plan("/ü", { encode: () => "\0\xfc" })).message).toContain("NUL");
  });

  test.each([
    ["ftp://h/ü/x", true],
    ["ftp://h/a/東", true],
    ["ftp://h/%C3%BC", false],
    ["ftp://ü@ü.example/x#ü", false],
  ])("the choice matters for %s: %s", (text, matters) => {
    expect(hasRawCharacters(parseFtpUrl(text))).toBe(matters);
  });
});
