/** Entries, rendered in the forms of servers and parsed back: none may come back as another one. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unixDateParser } from "../../src/listing/list-date.ts";
import { parseListLine } from "../../src/listing/parse-list.ts";

const dateOf = unixDateParser(new Date("2026-11-30T12:00:00Z"));

interface Shown {
  readonly name: string;
  readonly size: number;
  readonly isDirectory: boolean;
  readonly owner: string;
  readonly group: string;
  readonly day: Date;
  readonly isRecent: boolean;
}

const english = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** Months of ls in other languages; the fourth line is in KOI8-R, the others are in UTF-8. */
const languages = [
  "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
  "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
  "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
  "янв фев мар апр май июн июл авг сен окт ноя дек",
].map((names) => names.split(" ").map(utf8));
languages.push("\xd1\xce\xd7 \xc6\xc5\xd7 \xcd\xc1\xd2 \xc1\xd0\xd2 \xcd\xc1\xca".split(" "));

function utf8(text: string): string {
  return Buffer.from(text).toString("latin1");
}

const two = (number: number, fill = "0"): string => String(number).padStart(2, fill);
const clockOf = ({ day }: Shown): string => `${two(day.getUTCHours())}:${two(day.getUTCMinutes())}`;
const yearOf = ({ day }: Shown): number => day.getUTCFullYear();
const dayOf = ({ day }: Shown): number => day.getUTCDate();
const monthOf = ({ day }: Shown, names: readonly string[]): string =>
  names[day.getUTCMonth() % names.length]!;

/** The dates of ls, with the space behind them. */
const dates: Record<string, (shown: Shown) => string> = {
  GNU: (shown) =>
    `${monthOf(shown, english)} ${two(dayOf(shown), " ")} ` +
    (shown.isRecent ? clockOf(shown) : ` ${yearOf(shown)}`),
  AIX: (shown) =>
    `${monthOf(shown, english)} ${two(dayOf(shown))} ` +
    (shown.isRecent ? clockOf(shown) : `${yearOf(shown)} `),
  ISO: (shown) => `${shown.day.toISOString().slice(0, 10)} ${clockOf(shown)}`,
  VShell: (shown) =>
    `${monthOf(shown, english)} ${two(dayOf(shown))}, ${yearOf(shown)} ${clockOf(shown)}`,
  ...Object.fromEntries(
    languages.map((names, index) => [
      `month ${index}`,
      (shown: Shown) =>
        `${monthOf(shown, names)} ${two(dayOf(shown), " ")} ` +
        (shown.isRecent ? clockOf(shown) : ` ${yearOf(shown)}`),
    ]),
  ),
  "day first": (shown) =>
    `${dayOf(shown)}. ${monthOf(shown, languages[0]!)} ` +
    (shown.isRecent ? clockOf(shown) : ` ${yearOf(shown)}`),
  Japanese: (shown) =>
    utf8(`${shown.day.getUTCMonth() + 1}月 ${dayOf(shown)}日 `) +
    (shown.isRecent ? clockOf(shown) : `${yearOf(shown)}${utf8("年")}`),
};

/** Permissions to size, with the space behind it. */
const columns: Record<string, (shown: Shown) => string> = {
  ls: ({ owner, group, size }) => `1 ${owner} ${group} ${size} `,
  wide: ({ owner, group, size }) =>
    `   12 ${owner.padEnd(10)} ${group.padEnd(12)} ${String(size).padStart(14)} `,
  "no group": ({ owner, size }) => ` 1 ${owner} ${size} `,
  "no links": ({ owner, group, size }) => ` ${owner}x ${group} ${size} `,
  "run together": ({ owner, size }) => ` 1 ${owner} ftpadmin${size} `,
};

function unixLine(shown: Shown, column: string, date: string): string {
  const mode = shown.isDirectory ? "drwxr-xr-x " : "-rw-r--r-- ";
  return `${mode}${columns[column]!(shown)}${dates[date]!(shown)} ${shown.name}`;
}

/** A date of IIS: the year has two digits or four, the time 12 hours or 24. */
function dosDate(shown: Shown, digits: number, isHalf: boolean): string {
  const hours = shown.day.getUTCHours();
  const day = `${two(shown.day.getUTCMonth() + 1)}-${two(dayOf(shown))}`;
  const time = isHalf ? `${two(hours % 12 || 12)}:` : `${two(hours)}:`;
  const half = isHalf ? (hours < 12 ? "AM" : "PM") : "";
  return `${day}-${String(yearOf(shown)).slice(-digits)}  ${time}${two(shown.day.getUTCMinutes())}${half}`;
}

const pieces = (
  "a,é,7,2021,10:05, ,  ,Mar 14 2021,14 Mar 10:05, -> ,\t,5 Jan 10 2020 ,2021-03-14 10:00," +
  "8\xe6\x9c\x88 17,<DIR>,total 5,9.0M,+0100"
).split(",");

const name = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...pieces), minLength: 1 }),
    fc.string({ unit: fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code)) }),
  )
  .filter((text) => !["", ".", ".."].includes(text));

const shown: fc.Arbitrary<Shown> = fc.record({
  name,
  size: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 5, 14, 1999, 2021)),
  isDirectory: fc.boolean(),
  owner: fc.constantFrom("ftp", "0", "1000", "Jane Doe", "DOMAIN+bob"),
  group: fc.constantFrom("ftp", "0", "33", "Domain Users", "team1", "a.b"),
  day: fc.date({ min: new Date("1990-01-01"), max: new Date("2026-11-29"), noInvalidDate: true }),
  isRecent: fc.boolean(),
});

const options = { numRuns: 2000 };

describe("P9 a line comes back as what was shown", () => {
  test("of ls, by its columns, languages and dates", () => {
    const form = fc.tuple(
      fc.constantFrom(...Object.keys(columns)),
      fc.constantFrom(...Object.keys(dates)),
    );
    fc.assert(
      fc.property(shown, form, (entry, [column, date]) => {
        fc.pre(column !== "run together" || date === "GNU");
        const { name, type, size } = parseListLine(unixLine(entry, column, date), dateOf) ?? {};
        const known = column === "run together" ? undefined : entry.size;
        const meant = { name: entry.name, type: entry.isDirectory ? "directory" : "file" };
        expect({ name, type, size }).toEqual({ ...meant, size: known });
      }),
      options,
    );
  });

  test("of IIS", () => {
    fc.assert(
      fc.property(shown, fc.constantFrom(2, 4), fc.boolean(), (entry, digits, isHalf) => {
        const { isDirectory } = entry;
        const shownSize = isDirectory ? "      <DIR>         " : String(entry.size).padStart(20);
        const line = `${dosDate(entry, digits, isHalf)} ${shownSize} ${entry.name}`;
        const { name, type, size, modified } = parseListLine(line, dateOf) ?? {};
        expect({ name, type, size, time: modified?.toISOString().slice(0, 16) }).toEqual({
          name: entry.name,
          type: isDirectory ? "directory" : "file",
          size: isDirectory ? undefined : entry.size,
          time: entry.day.toISOString().slice(0, 16),
        });
      }),
      options,
    );
  });

  test("of other columns of DOS, where spaces before a name are padding", () => {
    fc.assert(
      fc.property(shown, fc.integer({ min: 1, max: 30 }), fc.boolean(), (entry, width, isFile) => {
        fc.pre(/^[^ \t]/.test(entry.name));
        const kind = isFile ? String(entry.size) : "<DIR>";
        const line = `${dosDate(entry, 2, true)}  ${kind}${" ".repeat(width)}${entry.name}`;
        expect(parseListLine(line, dateOf)?.name).toBe(entry.name);
      }),
      options,
    );
  });
});
