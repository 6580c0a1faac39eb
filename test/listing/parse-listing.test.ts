import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ListingCommand, listingParser } from "../../src/listing/parse-listing.ts";

const now = new Date("2026-11-30T12:00:00Z");

describe("a line of NLST (P9)", () => {
  const parseNlstLine = listingParser("NLST", now);

  test.each<[claim: string, line: string, name: string, type: string]>([
    ["is a name", "file.txt", "file.txt", "unknown"],
    ["loses the directory before the name", "pub/old/file.txt", "file.txt", "unknown"],
    ["that ends in a slash is a directory", "pub/src/", "src", "directory"],
    ["that is nothing but slashes stays", "//", "//", "unread"],
    ["may look like a total", "total 5", "total 5", "unknown"],
  ])("%s", (_claim, line, name, type) => {
    expect(parseNlstLine(line)).toMatchObject({ name, type, raw: line });
  });

  test.each(["", "\r", ".", "..", "./.", "pub/..", "../"])("is no entry: %j", (line) => {
    expect(namesOf("NLST", [line])).toEqual([]);
  });
});

/** The names of a listing's entries; a line that can't be read in brackets. */
function namesOf(command: ListingCommand, lines: readonly string[]): string[] {
  const entries = lines.map(listingParser(command, now)).filter((entry) => entry !== undefined);
  const others = entries.filter(({ type }) => type !== "itself");
  return others.map(({ type, name }) => (type === "unread" ? `[${name}]` : name));
}

test.each<[command: ListingCommand, line: string]>([
  ["LIST", "drwxr-xr-x    2 ftp      ftp          4096 Jan 01  2020 .."],
  ["LIST", "08-10-15  01:15PM       <DIR>\t.."],
  ["MLSD", "modify=20260101120000;perm=flcdmpe;Type=PDIR;UNIX.mode=0755; /pub"],
  ["MLSD", "type=dir; .."],
])("P9 a line of %s is no entry where it stands for the directory above: %j", (command, line) => {
  expect(listingParser(command, now)(line)).toBeUndefined();
});

test.each<[command: ListingCommand, line: string, unique?: string]>([
  ["LIST", "drwxr-xr-x    2 ftp      ftp          4096 Jan 01  2020 ."],
  ["MLSD", "modify=20260101120000;Type=cDir;Unique=801U1; .", "801U1"],
  ["MLSD", "type=cdir;unique=801U1;perm=el; /pub", "801U1"],
  ["MLSD", "type=dir;unique=801U1; .", "801U1"],
])("P9 a line of %s is the listed directory: %j", (command, line, unique) => {
  const entry = listingParser(command, now)(line);
  expect([entry?.type, entry?.unique]).toEqual(["itself", unique]);
});

const file = "-rw-r--r--    1 0        0            1024 Nov 21 07:30 a";

describe("the heading of a listing in another language (P9)", () => {
  test.each(["insgesamt 8", "\xe6\x80\xbb\xe7\x94\xa8\xe9\x87\x8f 1.5M", ".:"])(
    "names nothing: %j",
    (heading) => {
      expect(namesOf("LIST", ["", heading, file])).toEqual(["a"]);
    },
  );

  test.each(["a b 8", "insgesamt", "insgesamt  8", "8 insgesamt", "pub:", "./pub:"])(
    "is none of another form: %j",
    (line) => {
      expect(namesOf("LIST", [line, file])).toEqual([`[${line}]`, "a"]);
    },
  );
});

test.each<[claim: string, lines: string[], names: string[]]>([
  ["may begin with spaces", ["  type=cdir; /", "", "  type=file; a", " type=dir; b"], ["a", "b"]],
  ["may have names without facts", [" a=b", " type=file x"], ["a=b", "type=file x"]],
])("P9 a listing of MLSD %s", (_claim, lines, names) => {
  expect(namesOf("MLSD", lines)).toEqual(names);
});

describe("a CR in a line", () => {
  const date = "1 0 0 5 Nov 21 07:30";
  test.each([
    ["MLSD", "type=file; Icon\r"],
    ["MLSD", "type=dir; ..\r"],
    ["LIST", `-rw-r--r-- ${date} a\rb`],
    ["LIST", `drwxr-xr-x ${date} ..\r`],
    ["NLST", "a\rb"],
  ] as const)("of %s is of a name that no command can send: %j", (command, line) => {
    expect(listingParser(command, now)(line)).toMatchObject({ type: "unread", name: line });
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

/** Lines that are left out on purpose: blank ones, `.` and `..`, cdir and pdir, headings. */
function standsForNothing(text: string): boolean {
  return /^[ \t\r]*$/.test(text) || /(?:^|[ \t/])\.\.?\/?$|type=[cp]dir|^\S+ \d|^\.:/i.test(text);
}
