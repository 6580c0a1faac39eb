import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/listing/entry.ts";
import { parseMlsdLine } from "../../src/listing/parse-mlsd.ts";

function known(entry: Entry | undefined): Record<string, unknown> {
  const fields = Object.entries(entry ?? {}).filter(([, value]) => value !== undefined);
  const others = new Set(["raw", "precision", "unique"]);
  const { modified, ...rest } = Object.fromEntries(fields.filter(([name]) => !others.has(name)));
  return modified instanceof Date ? { ...rest, modified: modified.toISOString() } : rest;
}

describe("a line of MLSD, as servers send it (P9)", () => {
  test.each<[server: string, line: string, entry: Record<string, unknown>]>([
    [
      "ProFTPD: a file",
      "modify=20261121073000;perm=adfrw;size=1048576;type=file;unique=FD00U4A;UNIX.group=0;UNIX.groupname=root;UNIX.mode=0644;UNIX.owner=1000;UNIX.ownername=ftp; big.bin",
      {
        name: "big.bin",
        type: "file",
        size: 1048576,
        modified: "2026-11-21T07:30:00.000Z",
        permissions: "rw-r--r--",
        owner: "ftp",
        group: "root",
      },
    ],
    [
      "ProFTPD: a link, its target among the facts",
      "modify=20261121073000;perm=adfrw;size=7;type=OS.unix=slink:big.bin;UNIX.mode=0777; latest",
      {
        name: "latest",
        type: "link",
        size: 7,
        modified: "2026-11-21T07:30:00.000Z",
        permissions: "rwxrwxrwx",
        target: "big.bin",
      },
    ],
    [
      "ProFTPD: a link as erratum 1500 has it",
      "type=OS.unix=symlink; l",
      { name: "l", type: "link" },
    ],
    [
      "Pure-FTPd: a directory, numeric owners, four-digit mode",
      "type=dir;sizd=4096;modify=20260101120000;UNIX.mode=01777;UNIX.uid=0;UNIX.gid=5;unique=fd01g5210; tmp",
      {
        name: "tmp",
        type: "directory",
        size: 4096,
        modified: "2026-01-01T12:00:00.000Z",
        permissions: "rwxrwxrwt",
        owner: "0",
        group: "5",
      },
    ],
    [
      "Pure-FTPd: a target with a space",
      "type=OS.unix=slink:/my files;size=9;UNIX.mode=0777; link",
      { name: "link", type: "link", size: 9, permissions: "rwxrwxrwx", target: "/my files" },
    ],
    [
      "pyftpdlib",
      "type=file;size=156;perm=r;modify=20071029155301;unique=801cd2; music.mp3",
      { name: "music.mp3", type: "file", size: 156, modified: "2007-10-29T15:53:01.000Z" },
    ],
    [
      "RFC 3659's example: capital letters, a name with spaces",
      "Type=OS.unix=slink:/foobar;Perm=;Unique=keVO1+4G4; foo bar",
      { name: "foo bar", type: "link", target: "/foobar" },
    ],
    [
      "RFC 3659's example: fractions of a second",
      "Type=file;Size=2;Modify=19990112030508.3; x",
      { name: "x", type: "file", size: 2, modified: "1999-01-12T03:05:08.300Z" },
    ],
    [
      "IIS: no facts but these",
      "type=dir;modify=20260101000000; pub",
      { name: "pub", type: "directory", modified: "2026-01-01T00:00:00.000Z" },
    ],
    [
      "a file beyond 2^32 octets",
      "type=FILE;size=4294967297; dvd",
      { name: "dvd", type: "file", size: 4294967297 },
    ],
    [
      "set-user-ID without execution",
      "type=file;UNIX.mode=0104611; x",
      { name: "x", type: "file", permissions: "rwS--x--x" },
    ],
    [
      "set-group-ID",
      "type=file;unix.MODE=02755; x",
      { name: "x", type: "file", permissions: "rwxr-sr-x" },
    ],
    ["a name with leading spaces", "type=file;   x", { name: "  x", type: "file" }],
    ["a name with a semicolon and a space", "type=file; a; b", { name: "a; b", type: "file" }],
    ["a tab before the name", "type=file;\ta b; c", { name: "a b; c", type: "file" }],
    ["a tab, and no semicolon", "type=file\ta b", { name: "a b", type: "file" }],
    ["a name with an arrow", "type=file; a -> b", { name: "a -> b", type: "file" }],
    ["a name that isn't UTF-8", "type=file; caf\xe9", { name: "caf\xe9", type: "file" }],
    ["no facts at all", " x", { name: "x", type: "unknown" }],
    [
      "no semicolon behind the last fact",
      "type=file;size=3 x y",
      { name: "x y", type: "file", size: 3 },
    ],
    ["a device", "type=OS.unix=chr-13/29; null", { name: "null", type: "unknown" }],
    [
      "facts that nobody knows",
      "x.y=z;type=file;media-type=text/plain;; x",
      { name: "x", type: "file" },
    ],
    [
      "the owner's name before the number",
      "UNIX.ownername=bob;UNIX.owner=7; x",
      { name: "x", type: "unknown", owner: "bob" },
    ],
    [
      "the group's name before the number",
      "UNIX.groupname=staff;UNIX.gid=7; x",
      { name: "x", type: "unknown", group: "staff" },
    ],
    ["a fact without a value", "type=file;unix.owner; x", { name: "x", type: "file" }],
    ["a fact like that of the directory", "mytype=cdir; x", { name: "x", type: "unknown" }],
    [
      "an owner's name that is empty",
      "UNIX.owner=7;UNIX.ownername=; x",
      { name: "x", type: "unknown", owner: "7" },
    ],
  ])("%s", (_server, line, entry) => {
    expect(known(parseMlsdLine(line))).toEqual(entry);
    expect(parseMlsdLine(line)?.raw).toBe(line);
  });

  test.each([
    "type=cdir;sizd=4096;modify=20260101120000;UNIX.mode=0755; .",
    "modify=20260101120000;perm=flcdmpe;Type=PDIR;UNIX.mode=0755; /pub",
    "type=dir; .",
    "type=dir; ..",
    "",
    "  ",
    "\r",
  ])("is no entry where it stands for the directory itself or the one above: %j", (line) => {
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
    expect(known(parseMlsdLine(line))).toEqual({ name: line, type: "unread" });
  });

  test.each([
    "size=1e3",
    "size=-1",
    "size=0x10",
    "size=99999999999999999999",
    "modify=20261321073000",
    "modify=20260231000000",
    "modify=00010101000000",
    "modify=20260101240000",
    "modify=20260101250000",
    "modify=20260101006000",
    "modify=2026010100000",
    "modify=x20260101000000",
    "modify=20260101000000.",
    "modify=20260101000000Z",
    "modify=yesterday",
    "UNIX.mode=rwx",
    "UNIX.mode=x644",
    "UNIX.mode=648",
    "type=weird",
    "type=cdirs",
    "type=OS.unix=slinky",
    "type=xOS.unix=symlink",
  ])("is an entry without the fact that makes no sense: %s", (fact) => {
    expect(known(parseMlsdLine(`${fact}; x`))).toEqual({ name: "x", type: "unknown" });
  });

  test("with a semicolon in a link's target leaves the target unknown", () => {
    for (const facts of ["type=OS.unix=slink:dir;x;size=5;", "size=5;type=OS.unix=slink:dir;x;"])
      expect(known(parseMlsdLine(`${facts} link`))).toEqual({
        type: "link",
        name: "link",
        size: 5,
      });
  });

  test("gives a time that can be compared with MDTM's", () => {
    expect(parseMlsdLine("modify=20260101000000; x")?.precision).toBe("exact");
    expect(parseMlsdLine("modify=0; x")?.precision).not.toBe("exact");
  });
});
