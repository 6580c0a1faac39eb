import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listingParser } from "../../src/listing/parse-listing.ts";

const now = new Date("2026-11-30T12:00:00Z");

describe("a line of NLST (P9)", () => {
  const parseNlstLine = listingParser("NLST", now);

  test.each<[claim: string, line: string, name: string, type: string]>([
    ["is a name", "file.txt", "file.txt", "unknown"],
    ["may have spaces anywhere", "  a b ", "  a b ", "unknown"],
    ["loses the directory before the name", "pub/old/file.txt", "file.txt", "unknown"],
    ["loses ./", "./file.txt", "file.txt", "unknown"],
    ["that ends in a slash is a directory", "pub/src/", "src", "directory"],
    ["that is nothing but slashes stays", "//", "//", "unread"],
    ["may look like a total", "total 5", "total 5", "unknown"],
  ])("%s", (_claim, line, name, type) => {
    expect(parseNlstLine(line)).toMatchObject({ name, type, raw: line });
  });

  test.each(["", "\r", ".", "..", "./.", "pub/..", "../"])("is no entry: %j", (line) => {
    expect(parseNlstLine(line)).toBeUndefined();
  });
});

const pieces = {
  mlsd: ["type=file;", "size=1;", "modify=20260101000000;", "modify=9;", "UNIX.mode=8;", "; "],
  list: ["-rw-r--r-- ", "lrwxr-xr-x", "1 ftp ftp ", "42 ", "Nov 21 07:30 ", " -> ", "name"],
  others: ["08-10-15  01:15PM ", "<DIR> ", "\t", "\r", "=", "/", "\xe9"],
};

describe.each(["MLSD", "LIST", "NLST"] as const)("any line of %s", (command) => {
  const parse = listingParser(command, now);
  const piece = fc.constantFrom(...pieces.mlsd, ...pieces.list, ...pieces.others);
  const octets = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map(toOctet) });
  const line = fc
    .oneof(octets, fc.string({ unit: piece }))
    .filter((text) => !text.includes("\n") && !standsForNothing(text));

  test("is an entry with a name and the whole line", () => {
    fc.assert(
      fc.property(line, (raw) => {
        const entry = parse(raw);
        expect(entry?.raw).toBe(raw);
        expect(entry?.name).not.toBe("");
        expect(entry?.modified?.getTime()).not.toBeNaN();
      }),
      { numRuns: 500 },
    );
  });
});

function toOctet(code: number): string {
  return String.fromCharCode(code);
}

/** Lines that are left out on purpose: blank ones, `.` and `..`, cdir and pdir, totals. */
function standsForNothing(text: string): boolean {
  return /^[ \t\r]*$/.test(text) || /(?:^|[ \t/])\.\.?\/?$|type=[cp]dir|^total /i.test(text);
}
