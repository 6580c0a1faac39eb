/**
 * Every requirement has a test whose title names it, and no title names one that doesn't exist.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const requirements: Record<string, string> = {
  U1: "schemes, in any case",
  U2: "user, password, host, port, path",
  U3: "the port",
  U4: "the first colon, and the last @",
  U5: "empty and absent users and passwords",
  U6: "names and addresses of hosts",
  U7: "split first, decoded later",
  U8: "no path",
  U9: "typecodes",
  U10: "unknown typecodes, and RFC 1630's",
  U11: "a query",
  U12: "a fragment",
  U13: "a stray %",
  U14: "CR, LF and NUL",
  U15: "octets and characters",
  U16: "wrapped URLs",
  U17: "relative references",
  U18: "dot segments",
  U19: "a raw semicolon",
  S1: "the greeting",
  S2: "HOST",
  S3: "user and password of the URL",
  S4: "a password that has to be found",
  S5: "anonymous",
  S6: "no PASS needed",
  S7: "530 to the login",
  S8: "the account",
  S9: "FEAT",
  S10: "UTF-8 and other encodings of names",
  S11: "stream mode, file structure",
  S12: "QUIT",
  P1: "one CWD each",
  P2: "null cwds",
  P3: "TYPE, and its refusal",
  P4: "EPSV, PASV, EPRT, PORT",
  P5: "a null last segment",
  P6: ";type=d",
  P7: "typecodes of files",
  P8: "file or directory",
  P9: "MLSD, NLST, LIST",
  P10: "a CWD refused",
  P11: "login directory and root",
  P12: "the type of a name without typecode",
  M1: "one control connection",
  M2: "the way to the next document",
  M3: "failures apart",
  D1: "image",
  D2: "ASCII",
  D3: "EBCDIC",
  D4: "Net-Unicode",
  X1: "ports of other protocols",
  X2: "passwords nowhere",
  X3: "other data addresses",
  X4: "control sequences and other directories",
  T1: "where a tree is saved: its last directory, or the host",
  T2: "-x, -nH and --cut-dirs: the path is wget's",
  T3: "trees that meet in one place are merged",
  T4: "one listing a directory: MLSD, else LIST -a where it is whole, else what has more of it and LIST",
  T5: "with MLSD's facts no SIZE and MDTM are asked; with LIST they are",
  T6: "files of a directory first, then its subdirectories, in the listing's order",
  T7: "-j lists and fetches over several sessions; 421 and 530 lower the number",
  T8: "a file that is here with the same size and time is left, another one is replaced",
  T9: "what was interrupted is resumed, -f fetches all, --no-clobber keeps all",
  T10: "a second run after a whole one fetches nothing",
  T11: "a link that is followed: its file's content",
  T12: "a linked directory that is followed is entered unless PWD shows that it is above",
  T13: "a dangling link is a warning",
  T14: "a link into the tree becomes a local link",
  T15: "a loop ends, as a failure where PWD doesn't show it",
  T16: "a name with a slash, .. or nothing left of it is refused (7)",
  T17: "of two sources with one local name, the second is a failure (3) that names both",
  T18: "a local symbolic link never leads out of the target directory",
  T19: "names go out as they came",
  T20: "empty directories, times of directories; nothing is deleted, no side files stay",
  T21: "what is refused or in the way doesn't stop the others",
  T22: "a line that can't be read: 7",
  T23: "a listing that was cut: 9; one that ends with 4yz is tried again",
  T24: "-A and -R",
  T25: "-r with -O, and on a file",
  T26: "-l, and what it leaves out",
  T27: "--newer-than and --older-than",
  G1: "* and [...] in a segment; percent-encoded ones and leading dots",
  G2: "no match: 8",
  G3: "a directory that matches: walked with -r, else a note",
  G4: "patterns in inner segments: the directories that match are listed",
  G5: "options of single documents with a pattern",
};

/**
 * Titles stand in quotes behind `it(`, `test(`, `describe(` and the like; rows of a table begin with the
 * id of a requirement.
 */
const title =
  /(?:\b(?:it|test|describe)\b[^"'`\n]*\(\s*|(?=["'`][USPMDXTG][1-9]))(["'`])((?:(?!\1)[^\n])*)\1/g;

const titles = testFiles("test").flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(title)].map(([, , text = ""]) => ({ file, text })),
);

function testFiles(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(directory, name));
}

function idsIn(text: string): string[] {
  return text.match(/\b[USPMDXTG][1-9][0-9]?\b/g) ?? [];
}

describe("the requirements", () => {
  it.each(Object.entries(requirements))("%s (%s) has a test", (id) => {
    expect(titles.filter(({ text }) => idsIn(text).includes(id))).not.toEqual([]);
  });

  it("are the only ones that titles name", () => {
    const unknown = ({ text }: { text: string }) => idsIn(text).some((id) => !(id in requirements));
    expect(titles.filter(unknown)).toEqual([]);
  });
});
