/** What becomes of an existing file: one value, decided from the options. */
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { existingFor } from "../../src/run/jobs/file-rules.ts";

type Row = [words: string, stays: string, otherwise: string, replacesLinks?: boolean];

const ofUrls: Row[] = [
  ["", "never", "number"],
  ["-N", "unless newer", "replace"],
  ["-nc", "always", "replace"],
  ["-f", "never", "force"],
  ["-c", "if the same", "continue"],
  ["-c -N", "unless newer", "continue or replace"],
  ["-O x", "never", "replace"],
  ["-O x -nc", "always", "replace"],
  ["-O x -f", "never", "force"],
  ["-O x -c", "never", "continue"],
  ["-r", "unless different", "number"],
  ["-r -c", "unless different", "continue or replace"],
  ["-m", "unless different", "replace"],
];

const ofTreesAndPatterns: Row[] = [
  ["", "never", "number"],
  ["-N", "unless newer", "replace"],
  ["-c", "if the same", "continue"],
  ["-r", "unless different", "replace", true],
  ["-m", "unless different", "replace", true],
  ["-r --no-mtime", "unless newer", "replace", true],
  ["-r -c", "unless different", "continue or replace", true],
  ["-r -nc", "always", "replace", true],
  ["-r -f", "never", "force", true],
  ["-r -nd", "unless different", "number"],
  ["-r -nd -c", "unless different", "number"],
  ["-r -nd -N", "unless different", "replace", true],
];

test.each([
  ["that a URL names", false, ofUrls],
  ["of a tree or pattern", true, ofTreesAndPatterns],
] as const)("a file %s", (_claim, isInTree, rows) => {
  for (const [words, stays, otherwise, replacesLinks = false] of rows) {
    const { settings } = parseCommandLine([...words.split(" ").filter(Boolean), "ftp://h/x"]);
    expect(existingFor(settings!, isInTree), words).toEqual({ stays, otherwise, replacesLinks });
  }
});
