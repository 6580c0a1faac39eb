/**
 * Generates the blocks of man/ftpull.1 between "begin <block>" and "end <block>" from the option
 * table, and man/ftpull.txt of the page. Run by `npm run docs`; not a part of the program.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { describedOptions } from "./descriptions.ts";
import {
  contradicts,
  environment,
  exitStatuses,
  groups,
  namesOf,
  type OptionRecord,
} from "./table.ts";
import { alternatives } from "./values.ts";

type Described = (typeof describedOptions)[number];

export function fillManual(page: string): string {
  const blocks = {
    options: groups.flatMap(manualGroup),
    environment: environment.flatMap(({ name, meaning }) => [`.It Ev ${name}`, meaning]),
    statuses: exitStatuses.flatMap(({ status, meaning }) => [`.It Li ${status}`, meaning]),
  };
  return Object.entries(blocks).reduce((text, [name, lines]) => filled(text, name, lines), page);
}

/** The page as plain text, by mandoc(1). */
export function pageText(file: string): string {
  // The page doesn't name an operating system: mandoc would put that of this machine there.
  const words = ["-T", "ascii", "-O", "width=78", "-I", "os=ftpull", file];
  return execFileSync("mandoc", words, { encoding: "utf8" }).replace(/.[\b]/g, "");
}

function filled(text: string, name: string, lines: readonly string[]): string {
  const [begin, end] = [`\n.\\" begin ${name}\n`, `\n.\\" end ${name}\n`];
  const [before, rest] = cut(text, begin);
  const [, after] = cut(begin + rest, end);
  return [before, begin, lines.join("\n"), end, after].join("");
}

/** The text before and after the first `mark`. */
function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`no line "${mark.trim()}"`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

function manualGroup(group: OptionRecord["group"]): string[] {
  const items = describedOptions.filter((record) => record.group === group).flatMap(manualOption);
  return [`.Ss ${group}`, ".Bl -tag -width indent", ...items, ".El"];
}

function manualOption(record: Described): string[] {
  const item = `.It ${namesOf(record).map(flag).join(" , ")}`;
  const example = record.example && [".Bd -literal", literal(folded(record.example)), ".Ed"];
  return [
    record.argument === undefined ? item : `${item} Ar ${record.argument}`,
    ...manualText(description(record)),
    ...(example || []),
  ];
}

/** A long command goes on in a second line: the page is for 80 columns. */
function folded(command: string): string {
  return command.length > 66 ? command.replace(/ (?=(?:'[^']*'|\S)+$)/, " \\\n    ") : command;
}

/** The description, with the default, what it needs and the contradictions. */
function description(record: Described): string {
  const others = describedOptions
    .filter((other) => contradicts(record, other))
    .map(({ long }) => long);
  const sentences = [
    record.description,
    record.default && `The default is "${record.default}".`,
    record.needs && `It is an error without ${record.needs}.`,
    others.length > 0 && `It cannot be combined with ${alternatives(others)}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function flag(name: string): string {
  return `Fl ${name.slice(1)}`;
}

/** Turns `--long`, `<argument>` and `"literal"` into macros; each sentence and macro is a line. */
function manualText(text: string): string[] {
  const parts = text.split(/((?:--[a-z0-9-]+|<[a-z]+>|"[^"]+")[.,:;]?)/);
  return parts.flatMap((part, at) => (at % 2 === 1 ? [macro(part)] : sentences(part.trim())));
}

function sentences(text: string): string[] {
  const lines = text === "" ? [] : text.split(/(?<=[.:]) (?=[A-Z])/);
  return lines.flatMap((line) => line.match(/\S.{0,77}(?=\s|$)/g) ?? []);
}

function macro(part: string): string {
  const [, marked = "", punctuation] = /^(.*[^.,:;])([.,:;]?)$/.exec(part) ?? [];
  if (marked.startsWith("--")) return `.${flag(marked)} ${punctuation}`.trim();
  const inner = marked.slice(1, -1);
  if (marked.startsWith("<")) return `.Ar ${inner} ${punctuation}`.trim();
  // mdoc would take a lone "." for punctuation without \&.
  return `.Ql "\\&${literal(inner)}" ${punctuation}`.trim();
}

/** Escapes the characters that roff would typeset as others, which a shell would not accept. */
function literal(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    "\\": "\\e",
    "-": "\\-",
    "'": "\\(aq",
    "`": "\\(ga",
    "~": "\\(ti",
    "^": "\\(ha",
  };
  return text.replace(/[\\\-'`~^]/g, (char) => escapes[char] ?? char);
}

if (basename(process.argv[1] ?? "") === "docs.mjs") {
  const page = "man/ftpull.1";
  writeFileSync(page, fillManual(readFileSync(page, "utf8")));
  writeFileSync("man/ftpull.txt", pageText(page));
}
