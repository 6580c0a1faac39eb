/** Entries, rendered in the forms of servers and parsed back: none may come back as another one. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseListLine } from "../../src/listing/parse-list.ts";

const now = new Date("2026-11-30T12:00:00Z");

const utf8 = (text: string): string => Buffer.from(text).toString("latin1");
const two = (number: number, fill = "0"): string => String(number).padStart(2, fill);

/** Months of ls in several languages; the last line is in KOI8-R, the others are in UTF-8. */
const [english = [], ...languages] = [
  "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
  "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
  "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
  "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
  "янв фев мар апр май июн июл авг сен окт ноя дек",
].map((names) => names.split(" ").map(utf8));
languages.push("\xd1\xce\xd7 \xc6\xc5\xd7 \xcd\xc1\xd2 \xc1\xd0\xd2 \xcd\xc1\xca".split(" "));

const pieces = (
  "a,é,7,2021,10:05, ,  ,Mar 14 2021,14 Mar 10:05, -> ,\t,5 Jan 10 2020 ,2021-03-14 10:00," +
  "8\xe6\x9c\x88 17,<DIR>,total 5,9.0M,+0100"
).split(",");

const octet = fc.integer({ min: 32, max: 255 }).map((code) => String.fromCharCode(code));
const shown = fc.record({
  name: fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...pieces), minLength: 1 }),
      fc.string({ unit: octet, minLength: 1 }),
    )
    .filter((text) => text !== "." && text !== ".."),
  size: fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constantFrom(0, 5, 14, 1999, 2021)),
  isDirectory: fc.boolean(),
  owner: fc.constantFrom("ftp", "0", "1000", "Jane Doe", "DOMAIN+bob"),
  group: fc.constantFrom("ftp", "0", "33", "Domain Users", "team1", "a.b"),
  day: fc.date({ min: new Date("1990-01-01"), max: new Date("2026-11-29"), noInvalidDate: true }),
  isRecent: fc.boolean(),
});
type Shown = typeof shown extends fc.Arbitrary<infer T> ? T : never;

/** The dates of ls, with the space behind them, from their parts. */
interface Parts {
  readonly month: (names: readonly string[]) => string;
  readonly number: number;
  readonly day: number;
  readonly year: number;
  readonly clock: string;
  readonly yearOrClock: string;
}

const dates: Record<string, (parts: Parts) => string> = {
  GNU: ({ month, day, yearOrClock }) => `${month(english)} ${two(day, " ")} ${yearOrClock}`,
  AIX: ({ month, day, yearOrClock, year }) =>
    `${month(english)} ${two(day)} ${yearOrClock.includes(":") ? yearOrClock : `${year} `}`,
  ISO: ({ number, day, year, clock }) => `${year}-${two(number)}-${two(day)} ${clock}`,
  "day first": ({ month, day, yearOrClock }) => `${day}. ${month(languages[0]!)} ${yearOrClock}`,
  Japanese: ({ number, day, year, clock, yearOrClock }) =>
    utf8(`${number}月 ${day}日 ${yearOrClock.includes(":") ? clock : `${year}年`}`),
  ...Object.fromEntries(
    languages.map((names, index) => [
      `language ${index}`,
      ({ month, day, yearOrClock }: Parts) => `${month(names)} ${two(day, " ")} ${yearOrClock}`,
    ]),
  ),
};

function partsOf({ day, isRecent }: Shown): Parts {
  const clock = `${two(day.getUTCHours())}:${two(day.getUTCMinutes())}`;
  const year = day.getUTCFullYear();
  const month = (names: readonly string[]) => names[day.getUTCMonth() % names.length]!;
  const numbers = { number: day.getUTCMonth() + 1, day: day.getUTCDate(), year };
  return { ...numbers, month, clock, yearOrClock: isRecent ? clock : ` ${year}` };
}

/** Permissions to size, with the space behind it. */
const columns: Record<string, (shown: Shown) => string> = {
  ls: ({ owner, group, size }) => `1 ${owner} ${group} ${size} `,
  wide: ({ owner, group, size }) =>
    `   12 ${owner.padEnd(10)} ${group.padEnd(12)} ${String(size).padStart(14)} `,
  "no group": ({ owner, size }) => ` 1 ${owner} ${size} `,
  "no links": ({ owner, group, size }) => ` ${owner}x ${group} ${size} `,
  "run together": ({ owner, size }) => ` 1 ${owner} ftpadmin${size} `,
};

const options = { numRuns: 2000 };

test("P9 a line of ls comes back as what was shown, whatever its columns, language and date", () => {
  const form = fc.tuple(
    fc.constantFrom(...Object.keys(columns)),
    fc.constantFrom(...Object.keys(dates)),
  );
  fc.assert(
    fc.property(shown, form, (entry, [column, date]) => {
      fc.pre(column !== "run together" || date === "GNU");
      const mode = entry.isDirectory ? "drwxr-xr-x " : "-rw-r--r-- ";
      const line = `${mode}${columns[column]!(entry)}${dates[date]!(partsOf(entry))} ${entry.name}`;
      const { name, type, size } = parseListLine(line, now) ?? {};
      const known = column === "run together" ? undefined : entry.size;
      const meant = { name: entry.name, type: entry.isDirectory ? "directory" : "file" };
      expect({ name, type, size }).toEqual({ ...meant, size: known });
    }),
    options,
  );
});

test("P9 a line of IIS does, with a year of two digits or four, and 12 hours or 24", () => {
  fc.assert(
    fc.property(shown, fc.constantFrom(2, 4), fc.boolean(), (entry, digits, isHalf) => {
      const { isDirectory, day } = entry;
      const hours = day.getUTCHours();
      const clock = isHalf ? `${two(hours % 12 || 12)}:` : `${two(hours)}:`;
      const half = isHalf ? (hours < 12 ? "AM" : "PM") : "";
      const year = String(day.getUTCFullYear()).slice(-digits);
      const date = `${two(day.getUTCMonth() + 1)}-${two(day.getUTCDate())}-${year}`;
      const kind = isDirectory ? "      <DIR>         " : String(entry.size).padStart(20);
      const line = `${date}  ${clock}${two(day.getUTCMinutes())}${half} ${kind} ${entry.name}`;
      const { name, type, size, modified } = parseListLine(line, now) ?? {};
      expect({ name, type, size, time: modified?.toISOString().slice(0, 16) }).toEqual({
        name: entry.name,
        type: isDirectory ? "directory" : "file",
        size: isDirectory ? undefined : entry.size,
        time: day.toISOString().slice(0, 16),
      });
    }),
    options,
  );
});
