import { describe, expect, test } from "vitest";
import { parseListLine } from "../../src/listing/parse-list.ts";
import { rowsOf } from "../support/rows.ts";
import { summary } from "./support/summary.ts";

const now = new Date("2026-11-30T12:00:00Z");

describe("a line of LIST, as servers send it (P9)", () => {
  const rows = rowsOf(`
vsftpd: a file with a time | -rw-r--r--    1 0        0            1024 Nov 21 07:30 file.txt | file rw-r--r-- 0 0 1024 2026-11-21T07:30 "file.txt"
vsftpd: a link | lrwxrwxrwx    1 0        0               8 Feb 29  2024 latest -> v1/x y | link rwxrwxrwx 0 0 8 2024-02-29T00:00 "latest" -> "v1/x y"
a name that holds a size and a date | -rw-r--r-- 1 ftp ftp 10 Nov 21 07:30 backup 5 Jan 10 2020 x.txt | file rw-r--r-- ftp ftp 10 2026-11-21T07:30 "backup 5 Jan 10 2020 x.txt"
a link to a name that does | lrwxrwxrwx 1 u g 8 Feb 29 2024 a 5 Jan 10 2020 b -> c 6 Jan 11 2021 d | link rwxrwxrwx u g 8 2024-02-29T00:00 "a 5 Jan 10 2020 b" -> "c 6 Jan 11 2021 d"
IIS: a directory whose name begins and ends with a space | 08-10-15  01:15PM       <DIR>           a  | directory ? ? ? ? 2015-08-10T13:15 " a "
no number of links | -r-xr-xr-x owner group 123456 Feb 12 17:20 x y | file r-xr-xr-x owner group 123456 2026-02-12T17:20 "x y"
no number of links, and numbers as owner and group | -r-xr-xr-x 0 33 123456 Feb 12 17:20 x | file r-xr-xr-x 33 ? 123456 2026-02-12T17:20 "x"
a month, a day and a year of East Asia | -rw-r--r-- 1 ftp ftp 5 6\xe6\x9c\x88 3\xe6\x97\xa5 2003\xe5\xb9\xb4 a | file rw-r--r-- ftp ftp 5 ? "a"
ls: a clock far ahead, and a date in the name | -rw-r--r-- 1 ftp ftp 5 Mar  3  2242 Nov 21 07:30 x | file rw-r--r-- ftp ftp 5 2242-03-03T00:00 "Nov 21 07:30 x"
IIS: noon, in the last year that is taken for this century | 01-02-69  12:30PM                    7 x | file ? ? ? 7 2069-01-02T12:30 "x"
dir: a link to a directory | 12-31-2021  03:45PM    <SYMLINKD>     a [b] [C:\\data] | link ? ? ? ? 2021-12-31T15:45 "a [b]" -> "C:\\data"
a link whose target has an arrow, by its length | lrwxrwxrwx 1 u g 6 Nov 21 07:30 a -> b -> c | link rwxrwxrwx u g 6 2026-11-21T07:30 "a" -> "b -> c"
AIX: the directory's name begins with a space | drwx------   1 user  group  5 Jul 13 2006   f1 | directory rwx------ user group 5 2006-07-13T00:00 " f1"
two spaces before the year, and a name that begins with one | -rw-r--r--   1 user  group  5 Jan 01  2000  f | file rw-r--r-- user group 5 2000-01-01T00:00 " f"
a small device: TABs between the columns | -rw-rw-r--\t1\tesp32\t67077\tJan 01 00:00\t bar.dat | file rw-rw-r-- esp32 ? 67077 2026-01-01T00:00 " bar.dat"
a size run into the group, and a size and a date in the name | -rw-r--r--   1 ftpadmin ftpadmin125435904 Apr  9  2008 x 5 Jan 10 2020 y | file rw-r--r-- ftpadmin ? ? 2008-04-09T00:00 "x 5 Jan 10 2020 y"
`);

  test.each(rows)("%s", (_server, line = "", entry) => {
    expect(summary(parseListLine(line, now))).toBe(entry);
    expect(parseListLine(line, now)?.raw).toBe(line);
  });

  test.each(["total 1.2M", "total 0", "", " \t "])(
    "is no entry where it names none: %j",
    (line) => {
      expect(parseListLine(line, now)).toBeUndefined();
    },
  );

  test.each([
    ["ls -i", "12345 -rw-r--r--   1 ftp ftp 1024 Nov 21 07:30 x"],
    ["an arrow that the link's size doesn't choose", "lrwxrwxrwx 1 u g 4 Nov 21 07:30 a -> b -> c"],
    ["no date", "-rw-r--r-- 1 www 33 2021 x"],
    ["a size in units", "-rw-r--r--   1 ftp ftp  4.0M Jan  1 2024 human"],
    ["a mode cut short", "drwxr-x   2       10     4096 Dec 10 14:32 pollq"],
    ["a size run into a group, and another language", "-rw------- 1 u g12 M\xe4r  3 07:30 x"],
  ])("that can't be read is shown as it came: %s", (_server, line) => {
    expect(summary(parseListLine(line, now))).toBe(`unread ? ? ? ? ? "${line}"`);
  });

  test.each([
    ["Nov 30 11:00", "2026-11-30T09:00:00Z", "2026-11-30", "a server east of here: today"],
    ["Dec 31 23:50", "2027-01-01T00:10:00Z", "2026-12-31", "last year"],
    ["Jan  1 01:00", "2026-12-31T22:00:00Z", "2027-01-01", "east of here it is next year"],
    ["Dec  2 12:00", "2026-11-30T12:00:00Z", "2025-12-02", "two days from now was last year"],
  ])("dates %s, read at %s, to %s: %s", (date, at, day) => {
    const entry = parseListLine(`-rw-r--r-- 1 ftp ftp 1 ${date} x`, new Date(at));
    expect(entry?.modified?.toISOString().slice(0, 10)).toBe(day);
    expect(entry?.precision).toBe("minute");
  });
});
