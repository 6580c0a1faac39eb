import { describe, expect, test } from "vitest";
import { parseMlsdLine } from "../../src/listing/parse-mlsd.ts";
import { rowsOf } from "../support/rows.ts";
import { summary } from "./support/summary.ts";

describe("a line of MLSD, as servers send it (P9)", () => {
  const rows = rowsOf(`
ProFTPD: a file | modify=20261121073000;perm=adfrw;size=1048576;type=file;unique=FD00U4A;UNIX.group=0;UNIX.groupname=root;UNIX.mode=0644;UNIX.owner=1000;UNIX.ownername=ftp; big.bin | file rw-r--r-- ftp root 1048576 2026-11-21T07:30 "big.bin"
ProFTPD: a link, its target among the facts | modify=20261121073000;perm=adfrw;size=7;type=OS.unix=slink:big.bin;UNIX.mode=0777; latest | link rwxrwxrwx ? ? 7 2026-11-21T07:30 "latest" -> "big.bin"
Pure-FTPd: a directory, numeric owners, four-digit mode | type=dir;sizd=4096;modify=20260101120000;UNIX.mode=01777;UNIX.uid=0;UNIX.gid=5;unique=fd01g5210; tmp | directory rwxrwxrwx 0 5 4096 2026-01-01T12:00 "tmp"
Pure-FTPd: a target with a space | type=OS.unix=slink:/my files;size=9;UNIX.mode=0777; link | link rwxrwxrwx ? ? 9 ? "link" -> "/my files"
RFC 3659's example: capital letters, a name with spaces | Type=OS.unix=slink:/foobar;Perm=;Unique=keVO1+4G4; foo bar | link ? ? ? ? ? "foo bar" -> "/foobar"
RFC 3659's example: fractions of a second | Type=file;Size=2;Modify=19990112030508.3; x | file ? ? ? 2 1999-01-12T03:05:08.300Z "x"
a name with a semicolon and a space | type=file; a; b | file ? ? ? ? ? "a; b"
a tab before the name | type=file;\ta b; c | file ? ? ? ? ? "a b; c"
a tab, and no semicolon | type=file\ta b | file ? ? ? ? ? "a b"
no facts at all |  x | unknown ? ? ? ? ? "x"
no semicolon behind the last fact | type=file;size=3 x y | file ? ? ? 3 ? "x y"
the owner's name first | UNIX.ownername=bob;UNIX.owner=7; x | unknown ? bob ? ? ? "x"
a fact without a value | type=file;unix.owner; x | file ? ? ? ? ? "x"
an owner's name that is empty | UNIX.owner=7;UNIX.ownername=; x | unknown ? 7 ? ? ? "x"
`);

  test.each(rows)("%s", (_server, line = "", entry) => {
    expect(summary(parseMlsdLine(line))).toBe(entry);
    expect(parseMlsdLine(line)?.raw).toBe(line);
  });

  test.each(["", "  ", "\r"])("is no entry where it is blank: %j", (line) => {
    expect(parseMlsdLine(line)).toBeUndefined();
  });

  test.each([
    "-rw-r--r--   1 ftp      ftp             0 Nov 21 07:30 x=y",
    "type=file;size=1;",
    "type=file;size=1; ",
    "=;; ",
    "=x; y",
    "nonsense",
  ])("that can't be read is shown as it came: %j", (line) => {
    expect(summary(parseMlsdLine(line))).toBe(`unread ? ? ? ? ? "${line}"`);
  });

  test.each([
    "size=1e3",
    "size=99999999999999999999",
    "modify=20261321073000",
    "modify=00010101000000",
    "modify=20260101240000",
    "modify=20260101006000",
    "modify=20260101000000Z",
    "modify=yesterday",
    "UNIX.mode=rwx",
    "UNIX.mode=648",
    "type=OS.unix=slinky",
    "type=xOS.unix=symlink",
  ])("is an entry without the fact that makes no sense: %s", (fact) => {
    expect(summary(parseMlsdLine(`${fact}; x`))).toBe('unknown ? ? ? ? ? "x"');
  });

  test("with a semicolon in a link's target leaves the target unknown", () => {
    for (const facts of ["type=OS.unix=slink:dir;x;size=5;", "size=5;type=OS.unix=slink:dir;x;"])
      expect(summary(parseMlsdLine(`${facts} link`))).toBe('link ? ? ? 5 ? "link"');
  });
});
