import { describe, expect, test } from "vitest";
import { bareEntry, type Entry, unreadEntry } from "../../src/listing/entry.ts";
import { listingFormatter, type ListingFormat } from "../../src/listing/format.ts";
import { parseListLine } from "../../src/listing/parse-list.ts";
import { parseMlsdLine } from "../../src/listing/parse-mlsd.ts";

const now = new Date("2026-11-30T12:00:00Z");
const directory = "ftp://h/pub/";
const decode = (octets: string): string => Buffer.from(octets, "latin1").toString("utf8");

function formatted(format: ListingFormat, entries: (Entry | undefined)[]): string {
  const formatter = listingFormatter(format, decode, directory);
  const texts = entries.map((entry) => (entry ? formatter.entry(entry) : ""));
  return [...texts, formatter.end?.() ?? ""].join("");
}

const listed = [
  "drwxr-xr-x    2 ftp      ftp          4096 Jan 01  2020 pub",
  "-rw-r--r--    1 0        0       1572864000 Nov 21 07:30 big file.bin",
  "lrwxrwxrwx    1 0        0               8 Feb 29  2024 latest -> big file.bin",
  "-rw-r--r--    1 0        0             532 Mrz  2 07:30 \xe6\x97\xa5\xe6\x9c\xac",
  "ls: what?",
].map((line) => parseListLine(line, now));

describe("a listing", () => {
  test("of names has one a line, a directory's ending in a slash", () => {
    expect(formatted("names", listed)).toBe("pub/\nbig file.bin\nlatest\n日本\nls: what?\n");
  });

  test("as a table is sorted by name and aligned: five fields in every line, the name last", () => {
    expect(formatted("table", listed)).toBe(
      [
        "-rw-r--r--   1.5G  2026-11-21 07:30  big file.bin",
        "lrwxrwxrwx      8  2024-02-29 -      latest -> big file.bin",
        "?               -  -          -      ls: what?",
        "drwxr-xr-x   4.0K  2020-01-01 -      pub",
        "-rw-r--r--    532  -          -      日本",
        "",
      ].join("\n"),
    );
  });

  test("as JSON has every key in every line, null for what is unknown", () => {
    expect(
      formatted("json", [
        parseMlsdLine(
          "type=file;size=0;modify=20261121073000.5;UNIX.mode=0640;UNIX.uid=1; caf\xc3\xa9",
        ),
        unreadEntry("x"),
      ]),
    ).toBe(
      '{"url":"ftp://h/pub/caf%C3%A9","name":"café","type":"file","size":0,"modified":"2026-11-21T07:30:00.500Z",' +
        '"permissions":"rw-r-----","owner":"1","group":null,"target":null,' +
        '"raw":"type=file;size=0;modify=20261121073000.5;UNIX.mode=0640;UNIX.uid=1; café"}\n' +
        '{"url":null,"name":"x","type":"unknown","size":null,"modified":null,' +
        '"permissions":null,"owner":null,"group":null,"target":null,"raw":"x"}\n',
    );
  });

  test.each(['a"b', "a\\b", "a\tb", "a\x7fb", "caf\xc3\xa9", " a~!#[]"])(
    "as JSON is read back unchanged: %j",
    (text) => {
      const entry = { ...bareEntry(text, text, "file"), owner: text, target: text };
      const shown = decode(text);
      const expected = { name: shown, owner: shown, target: shown, raw: shown, group: null };
      expect(JSON.parse(formatted("json", [entry]))).toMatchObject(expected);
    },
  );

  test("of URLs has a slash behind directories only, and comments for lines that can't be read", () => {
    expect(formatted("urls", listed)).toBe(
      [
        "ftp://h/pub/pub/",
        "ftp://h/pub/big%20file.bin",
        "ftp://h/pub/latest",
        "ftp://h/pub/%E6%97%A5%E6%9C%AC",
        "# ls: what?",
        "",
      ].join("\n"),
    );
  });

  test("that is raw has every octet as the server sent it", () => {
    const formatter = listingFormatter("raw", decode, directory);
    const line = "type=file; \x1b[2Jcaf\xe9";
    expect(formatter.isRaw).toBe(true);
    expect(formatter.entry(unreadEntry(line))).toBe(`${line}\n`);
  });
});

describe("X4 a name that would steer the terminal", () => {
  const octets = Buffer.from("\u001b[2J\u0085\u202e\u{e0041}\u007fx").toString("latin1");
  const entry: Entry = { ...unreadEntry(octets), type: "link", target: octets };

  test.each(["names", "table", "json"] as const)("is shown escaped as %s", (format) => {
    const text = formatted(format, [entry]);
    expect(text).toMatch(/^[ -~]+\n$/);
    expect(text).toContain("\\u202e");
  });
});
