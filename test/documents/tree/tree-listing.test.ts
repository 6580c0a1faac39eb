import { expect, test } from "vitest";
import { TreeListing } from "../../../src/documents/tree/tree-listing.ts";
import { listingParser, type ListingCommand } from "../../../src/listing/parse-listing.ts";

function listing(command: ListingCommand, lines: readonly string[]): TreeListing {
  const taken = new TreeListing(command, ({ name }) => !name.startsWith("no"));
  const parse = listingParser(command, new Date("2026-11-22"));
  for (const line of lines) {
    const entry = parse(line);
    if (entry === undefined) taken.skipped(line);
    else taken.entry(entry);
  }
  return taken;
}

const long = (name: string, kind = "-"): string => `${kind}rw-r--r-- 1 0 0 1 Nov 20 12:00 ${name}`;

test.each<
  [
    claim: string,
    command: ListingCommand,
    lines: string[],
    names: string[],
    count: number,
    showsItself: boolean,
  ]
>([
  [
    "an entry that is listed twice counts once",
    "LIST",
    [long("a"), long("b"), long("a")],
    ["a", "b"],
    2,
    false,
  ],
  [
    "a file and a directory of one name are two",
    "LIST",
    [long("a"), long("a", "d")],
    ["a", "a"],
    2,
    false,
  ],
  ["what isn't wanted is counted", "LIST", [long("a"), long("no")], ["a"], 2, false],
  [
    "the directory itself is no entry",
    "LIST",
    [long(".", "d"), long("..", "d"), long("a")],
    ["a"],
    1,
    true,
  ],
  [
    "nor is MLSD's",
    "MLSD",
    ["type=cdir;unique=7; /d", "type=pdir; ..", "type=file; a"],
    ["a"],
    1,
    true,
  ],
])("%s", (_claim, command, lines, names, count, showsItself) => {
  const taken = listing(command, lines);
  expect(taken).toMatchObject({ count, showsItself });
  expect(taken.entries.map(({ name }) => name)).toEqual(names);
  expect(taken.unique).toBe(command === "MLSD" ? "7" : undefined);
});
