/** What becomes of an existing file: one value, decided from the options. */
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/options/command-line.ts";
import { existingFor } from "../../src/run/jobs/file-rules.ts";

test.each<[words: string, stays: string, otherwise: string]>([
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
])("of a file that a URL names, with %j: it stays %s; else %s", (words, stays, otherwise) => {
  expect(existingWith(words, false)).toEqual({ stays, otherwise, replacesLinks: false });
});

test.each<[words: string, stays: string, otherwise: string, replacesLinks: boolean]>([
  ["", "never", "number", false],
  ["-N", "unless newer", "replace", false],
  ["-c", "if the same", "continue", false],
  ["-r", "unless different", "replace", true],
  ["-m", "unless different", "replace", true],
  ["-r --no-mtime", "unless newer", "replace", true],
  ["-r -c", "unless different", "continue or replace", true],
  ["-r -nc", "always", "replace", true],
  ["-r -f", "never", "force", true],
  ["-r -nd", "unless different", "number", false],
  ["-r -nd -c", "unless different", "number", false],
  ["-r -nd -N", "unless different", "replace", true],
  ["-r -nd -nc", "always", "replace", true],
  ["-r -nd -f", "never", "force", true],
])("in a tree or of a pattern, with %j: it stays %s; else %s", (words, stays, otherwise, links) => {
  expect(existingWith(words, true)).toEqual({ stays, otherwise, replacesLinks: links });
});

function existingWith(words: string, isInTree: boolean) {
  const { settings } = parseCommandLine([...words.split(" ").filter(Boolean), "ftp://h/x"]);
  return existingFor(settings!, isInTree);
}
