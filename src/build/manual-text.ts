/** Brings the manual up to date: the options of other programs, and man/ftpull.txt. Run by `npm run docs`. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { hintsByName } from "../options/hints.ts";
import type { OptionRow } from "../options/option-row.ts";
import { options, shownOptions } from "../options/table.ts";

const page = "man/ftpull.1";
const section = /(?<=^\.Sh OPTIONS OF OTHER PROGRAMS\n)[^]*?(?=^\.Sh )/m;

export function pageText(file: string): string {
  // Without the option, mandoc would name this machine's operating system.
  const words = ["-T", "ascii", "-O", "width=78", "-I", "os=ftpull", file];
  return execFileSync("mandoc", words, { encoding: "utf8" }).replace(/.[\b]/g, "");
}

/** The page with the aliases of the option table, and the hints, in their section. */
export function withOtherOptions(text: string): string {
  const names = new Map<string, string[]>();
  for (const row of options) for (const [key, name] of aliasesOf(row)) add(names, key, name);
  for (const [name, hint] of hintsByName) add(names, hint, name);
  const items = Array.from(
    names,
    ([key, list]) => `.It ${escaped(key)}\n${escaped(list.join(" "))}\n`,
  );
  const intro =
    "Names of wget and curl that mean the same are options, too.\n" +
    "Others are errors that say what to write.\n";
  return text.replace(section, `${intro}.Pp\n.Bl -tag -width 24n -compact\n${items.join("")}.El\n`);
}

/** The names that others have for an option, each with the words that it stands for. */
function aliasesOf(row: OptionRow): [string, string][] {
  const { name, names, aliases, meaning } = row;
  const others = shownOptions.includes(row) ? aliases : [...names, ...aliases];
  return others.map((other) => {
    const [alias = "", argument = ""] = other.split("=");
    return [meaning ?? `${name} ${argument}`.trim(), alias];
  });
}

function add(lists: Map<string, string[]>, key: string, name: string): void {
  lists.set(key, [...(lists.get(key) ?? []), name]);
}

function escaped(text: string): string {
  return text.replaceAll("-", "\\-");
}

if (basename(process.argv[1] ?? "") === "docs.mjs") {
  writeFileSync(page, withOtherOptions(readFileSync(page, "utf8")));
  writeFileSync("man/ftpull.txt", pageText(page));
}
