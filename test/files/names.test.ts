import { win32, posix } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localName, whyReserved } from "../../src/files/names.ts";

const utf8 = (octets: string) => Buffer.from(octets, "latin1").toString();
const octetsOf = (text: string) => Buffer.from(text).toString("latin1");
const name = (text: string, platform: NodeJS.Platform = "linux") =>
  localName(octetsOf(text), utf8, platform);

describe("X4 a file is named by the last segment", () => {
  test.each([
    ["", "index"],
    [".", "index"],
    ["..", "index"],
    ["x.txt", "x.txt"],
    [".profile", ".profile"],
    ["...", "..."],
    ["-rf", "-rf"],
    ["a b", "a b"],
    ["gr\u{fc}n \u{1f333}", "gr\u{fc}n \u{1f333}"],
    ["/etc/passwd", "passwd"],
    ["../../x", "x"],
    ["a/", "index"],
    ["a/..", "index"],
    ["C:x", "C:x"],
    ["a\\b", "a\\b"],
    ["a\rb", "a%0Db"],
    ["a\nb\x7f\x1b[2J", "a%0Ab%7F%1B[2J"],
    ["a\u{9b}2J", "a%C2%9B2J"],
    ["a\u{202e}txt.exe", "a%E2%80%AEtxt.exe"],
    ["a\u{200b}\u{feff}b", "a%E2%80%8B%EF%BB%BFb"],
    ["\u06cc\u{200c}\u062e", "\u06cc\u{200c}\u062e"],
    ["a\u{2028}b", "a%E2%80%A8b"],
  ])("%j becomes %j", (segment, expected) => {
    expect(name(segment)).toBe(expected);
  });

  test.each([
    ["..\\..\\x", "x"],
    ["C:\\x", "x"],
    ["C:x", "C%3Ax"],
    ["a<b>?*|\"'", "a%3Cb%3E%3F%2A%7C%22'"],
    ["nul", "_nul"],
    ["COM1.txt", "_COM1.txt"],
    ["com\u{b9}", "_com\u{b9}"],
    ["LPT\u{b3}.txt", "_LPT\u{b3}.txt"],
    ["NUL .txt", "_NUL .txt"],
    ["nul \u{b9}", "nul \u{b9}"],
    ["console", "console"],
    ["x.", "x%2E"],
    ["x ", "x%20"],
    ["...", "..%2E"],
  ])("on Windows %j becomes %j", (segment, expected) => {
    expect(name(segment, "win32")).toBe(expected);
  });

  test("the decoder decides what is a separator: the octet of \\ in a Japanese character is none", () => {
    expect(localName("\x83\x5c/x", () => "\u{30bd}", "win32")).toBe("\u{30bd}");
  });
});

test.each([
  ["a".repeat(240), "a".repeat(240)],
  ["a".repeat(4000), "a".repeat(240)],
  ["\u{20ac}".repeat(100), "\u{20ac}".repeat(80)],
  [`${"a".repeat(233)}.ftpull-${"b".repeat(20)}`, `${"a".repeat(233)}.ftpul`],
  [`a${"\u{1f333}".repeat(100)}`, `a${"\u{1f333}".repeat(59)}`],
])("a name is at most 240 octets: %.10s... is cut between characters", (segment, expected) => {
  expect(name(segment)).toBe(expected);
});

describe("X4 no name leaves the directory", () => {
  const nasty = fc.constantFrom("/", "\\", "..", ".", ":", "C:", "\0", "nul", " ", "\u{202e}");
  const segment = fc.array(fc.oneof(nasty, fc.string({ unit: "binary" }))).map((s) => s.join(""));

  test.each([
    ["linux", posix],
    ["win32", win32],
  ] as const)("on %s", (platform, path) => {
    const directory = platform === "win32" ? "C:\\chosen\\directory" : "/chosen/directory";
    fc.assert(
      fc.property(segment, (text) => {
        const made = name(text, platform);
        expect(path.dirname(path.resolve(directory, made))).toBe(directory);
        expect(path.basename(path.resolve(directory, made))).toBe(made);
        // Joiners stay: letters of some languages need them.
        expect(made).not.toMatch(/\p{Cc}|(?![\u200c\u200d])\p{Cf}/u);
        expect(Buffer.byteLength(made)).toBeLessThanOrEqual(240);
      }),
    );
  });
});

test.each([
  ["x.ftpull", true],
  ["X.FtPull.JSON", true],
  [".FTPULL-x", true],
  ["x.ftpull.txt", false],
  ["x.ftpull-x", false],
  ["ftpull", false],
])("%s is a name of the program's own files: %s", (text, isReserved) => {
  expect(whyReserved(name(text)) !== undefined).toBe(isReserved);
});
