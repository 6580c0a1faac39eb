/** A corpus of LIST lines, made of formats, owners, sizes, dates and names, and what each means. */
import { describe, expect, test } from "vitest";
import { parseListLine } from "../../src/listing/parse-list.ts";

const now = new Date("2026-11-30T12:00:00Z");

interface Line {
  readonly line: string;
  readonly name: string;
  readonly type: string;
  readonly size: number | undefined;
  readonly time: string | undefined;
  readonly target?: string;
}

/** Lines that aren't read as what they mean, at most five. */
function misread(lines: readonly Line[]): unknown[] {
  const wrong = [];
  for (const { line, ...meant } of lines) {
    const { name, type, size, modified, target, raw } = parseListLine(line, now) ?? {};
    const time = modified?.toISOString().slice(0, 16);
    const read = { name, type, size, time, ...(target === undefined ? {} : { target }) };
    if (raw !== line || JSON.stringify(read) !== JSON.stringify(meant)) wrong.push({ line, read });
  }
  return wrong.slice(0, 5);
}

/** Of ls: mode, links, owner, group, size, date, name. */
type UnixFormat = (
  mode: string,
  owner: string,
  group: string,
  size: string,
  rest: string,
) => string;

const unixFormats: Record<string, UnixFormat> = {
  vsftpd: (m, o, g, s, rest) => `${m}    1 ${o.padEnd(8)} ${g.padEnd(8)} ${s.padStart(8)} ${rest}`,
  ProFTPD: (m, o, g, s, rest) => `${m}   1 ${o.padEnd(8)} ${g.padEnd(8)} ${s.padStart(8)} ${rest}`,
  "Pure-FTPd": (m, o, g, s, rest) =>
    `${m}    1 ${o.padEnd(10)} ${g.padEnd(10)} ${s.padStart(12)} ${rest}`,
  pyftpdlib: (m, o, g, s, rest) =>
    `${m}   1 ${o.padEnd(8)} ${g.padEnd(8)} ${s.padStart(8)} ${rest}`,
  FileZilla: (m, o, g, s, rest) => `${m} 1 ${o} ${g} ${s.padStart(14)} ${rest}`,
  "GNU's ls, narrow": (m, o, g, s, rest) => `${m} 1 ${o} ${g} ${s} ${rest}`,
  "SELinux's ls": (m, o, g, s, rest) => `${m}. 12 ${o} ${g} ${s} ${rest}`,
  "ls with an ACL": (m, o, g, s, rest) => `${m}+ 1 ${o}  ${g}  ${s} ${rest}`,
  "macOS's ls": (m, o, g, s, rest) => `${m}@  1 ${o}  ${g}  ${s} ${rest}`,
  "ls without groups": (m, o, _g, s, rest) => `${m}   1 ${o} ${s.padStart(6)} ${rest}`,
  "no link count": (m, _o, g, s, rest) => `${m} ftp ${g} ${s} ${rest}`,
  "an old Macintosh": (m, _o, _g, s, rest) => `${m}               folder ${s.padStart(8)} ${rest}`,
};

const owners = [
  ["ftp", "ftp", 3000],
  ["0", "0", 14],
  ["1000", "33", 2021],
  ["alice", "Domain Users", 4_294_967_297],
  ["DOMAIN+bob", "14", 0],
  ["1000", "Team 12", 4096],
] as const;

const unixDates: readonly (readonly [text: string, time: string | undefined])[] = [
  ["Mar 14  2021", "2021-03-14T00:00"],
  ["Mar 14 2021", "2021-03-14T00:00"],
  ["Mar  4 10:05", "2026-03-04T10:05"],
  ["Mar 14 10:05", "2026-03-14T10:05"],
  ["14 Mar 2021", "2021-03-14T00:00"],
  [" 4 Mar 10:05", "2026-03-04T10:05"],
  ["2021-03-14 10:05", "2021-03-14T10:05"],
  ["2021-03-14 10:05:59.123456789 +0100", "2021-03-14T10:05"],
  ["M\xe4r 14 2021", undefined],
  ["14 f\xc3\xa9vr. 10:05", undefined],
];

const names = [
  "backup.log",
  "2021-03-14 10:00 backup.log",
  "Mar 14 2021 backup.log",
  "14 Mar 2021 backup.log",
  "3000 Mar 14  2021 backup.log",
  "x 5 Jan 10 2020 y",
  "12-31-99  12:05AM       <DIR>          z",
  "2021",
  "10:00 am",
  "7 8 9",
  "+0100 zone",
  "  two leading",
  " 5",
  "trailing ",
  "a -> b",
  " -> ",
  "total 5",
  "caf\xc3\xa0",
];

/** Each format with each date and each name, with every owner and its size. */
function unixLines(format: UnixFormat): Line[] {
  return unixDates.flatMap(([date, time]) =>
    names.flatMap((name) =>
      owners.map(([owner, group, size], index) => {
        const isFile = index % 2 === 0;
        const mode = isFile ? "-rw-r--r--" : "drwxr-sr-t";
        const line = format(mode, owner, group, String(size), `${date} ${name}`);
        return { line, name, type: isFile ? "file" : "directory", size, time };
      }),
    ),
  );
}

const targets = ["t", "x -> y", "../b c", "5 Jan 10 2020 d", "a -> b -> c"];

/** Links, whose size is the length of their target. */
function links(format: UnixFormat): Line[] {
  const rows = unixDates.flatMap((date) => names.map((name) => ({ date, name })));
  return rows.flatMap(({ date: [date, time], name }, index) => {
    const target = targets[index % targets.length]!;
    const size = target.length;
    const rest = `${date} ${name} -> ${target}`;
    const line = format("lrwxrwxrwx", "u", "g", String(size), rest);
    return { line, name, type: "link", size, time, target };
  });
}

const dosDates = [
  ["12-31-99  12:05AM", "1999-12-31T00:05"],
  ["03-14-21  03:45PM", "2021-03-14T15:45"],
  ["03-14-2021  03:45PM", "2021-03-14T15:45"],
  ["03-14-21  15:45", "2021-03-14T15:45"],
  ["03-14-2021  15:45", "2021-03-14T15:45"],
  ["03-14-2021  9:45", "2021-03-14T09:45"],
] as const;

function dosLines(): Line[] {
  return dosDates.flatMap(([date, time]) =>
    names.flatMap((name) => [
      ...owners.map(([, , size]) => {
        const line = `${date}${String(size).padStart(21)} ${name}`;
        return { line, name, type: "file", size, time };
      }),
      {
        line: `${date}       <DIR>          ${name}`,
        name,
        type: "directory",
        size: undefined,
        time,
      },
      {
        line: `${date}       <JUNCTION>     ${name} [C:\\a b]`,
        name,
        type: "link",
        size: undefined,
        time,
        target: "C:\\a b",
      },
    ]),
  );
}

describe("P9 every line of the corpus is read as what it means", () => {
  test.each(Object.entries(unixFormats))("%s", (_server, format) => {
    const lines = unixLines(format);
    expect(lines).toHaveLength(1080);
    expect(misread(lines)).toEqual([]);
    expect(misread(links(format))).toEqual([]);
  });

  test("IIS", () => {
    expect(misread(dosLines())).toEqual([]);
  });
});

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const nameDates = [
  "2021-03-14 10:00",
  "2021-03-14 9:05",
  "Mar 14 2021",
  "14 Mar 2021",
  "Mar 14 10:00",
  "14 Mar 10:00",
  "2021/3/14 10:00",
];

test("P9 2,016 lines with a year, a two-digit day, a narrow size and a date in the name", () => {
  const lines = months.flatMap((month, index) =>
    ["ftp", "0", "1000", "Domain Users"].flatMap((group) =>
      [5, 300, 3000].flatMap((size) =>
        [`${month} 14  2021`, `14 ${month} 2021`].flatMap((date) =>
          nameDates.map((begin): Line => {
            const name = `${begin} backup.log`;
            const line = `-rw-r--r-- 1 ftp ${group} ${size} ${date} ${name}`;
            const time = `2021-${String(index + 1).padStart(2, "0")}-14T00:00`;
            return { line, name, type: "file", size, time };
          }),
        ),
      ),
    ),
  );
  expect(lines).toHaveLength(2016);
  expect(misread(lines)).toEqual([]);
});
