/**
 * Parses the command line to `Settings`, by the option table. The only importer of commander, which knows options
 * by their long names, and lays out --help.
 */
import { Command, CommanderError, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { usageError } from "../errors.ts";
import { completionScript } from "./completion.ts";
import {
  environment,
  exitStatuses,
  helpExamples,
  type OptionRecord,
  options,
  optionSummary,
} from "./table.ts";
import { readArgument, type Setting } from "./values.ts";
import { canonicalWords } from "./words.ts";

export type CommandLine =
  | { readonly action: "print"; readonly text: string }
  | { readonly action: "manual" }
  | { readonly action: "run"; readonly settings: Settings };

/** Settings of a run, under their names in the option table. There are `urls`, as written, or `inputFiles`. */
export interface Settings extends Omit<AllSettings, "help" | "version" | "manual" | "completion"> {
  readonly urls: readonly string[];
}

type AllSettings = { readonly [Name in keyof typeof options]: Setting<(typeof options)[Name]> };

const table = Object.entries<OptionRecord>(options);

/** Parses the words behind the program's name. @throws FtpullError "usage" */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const program = createProgram();
  try {
    program.parse([...canonicalWords(argv)], { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? refusal(error) : error;
  }
  const { help, version, manual, completion, ...others } = program.opts<AllSettings>();
  if (help) return { action: "print", text: helpText(program) };
  if (version) return { action: "print", text: `ftpull ${packageJson.version}\n` };
  if (completion !== undefined) return { action: "print", text: completionScript(completion) };
  if (manual) return { action: "manual" };
  const settings = { ...others, urls: program.args };
  refuseWithoutUrl(settings);
  refuseSecondStandardInput(settings);
  refuseIdle(settings, program);
  return { action: "run", settings };
}

/** Commander's error in the form of this program's: `unknown option '--x'`, with its `Did you mean` as the hint. */
function refusal({ message }: CommanderError): Error {
  const [text = "", guess] = message.replace("error: ", "").split(/\n\((.*)\)/);
  return usageError(text, guess ?? "see ftpull --help");
}

function createProgram(): Command {
  const program = new Command("ftpull")
    .description(`${packageJson.description}.`)
    .usage("[options] <url>...")
    .argument("[url...]")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({
      helpWidth: 80,
      visibleArguments: () => [],
      optionTerm: (option) => helpTerm(options[option.attributeName() as keyof typeof options]),
      optionDescription: (option) => option.description,
      formatItem: (term, width, text) => ` ${term.padEnd(Math.min(width, 29))}  ${text}`,
    });
  const defaults = new Map(
    table.map(([name, { argument }]) => [name, argument === undefined ? false : undefined]),
  );
  for (const [name, record] of table) {
    if (record.heading !== undefined) program.optionsGroup(`${record.heading}:`);
    program.addOption(commanderOption(name, record));
    const { overrides = [], long } = record;
    const reset = (other: string): unknown =>
      program.setOptionValueWithSource(other, defaults.get(other), "default");
    program.on(`option:${long.slice(2)}`, () => overrides.forEach(reset));
  }
  return program;
}

/** Aligns names at their comma: wget's short names have two letters. */
function helpTerm(record: OptionRecord): string {
  const indent = record.short === undefined ? 5 : 3 - record.short.length;
  return " ".repeat(indent) + record.flags;
}

function commanderOption(name: string, record: OptionRecord): Option {
  const { long, argument, excludes = [], implies = {}, repeatable } = record;
  const flags = argument === undefined ? long : `${long} <${argument}>`;
  const option = new Option(flags, optionSummary(record)).conflicts([...excludes]).implies(implies);
  // Commander would make --no-x the negation of --x.
  option.negate = false;
  option.attributeName = () => name;
  if (argument === undefined) return option.default(false);
  if (record.default !== undefined) option.default(readArgument(record, record.default));
  if (!repeatable) return option.argParser((text) => readArgument(record, text));
  const add = (text: string, earlier: unknown): unknown =>
    [earlier, readArgument(record, text)].flat();
  return option.default([]).argParser(add);
}

function refuseWithoutUrl({ urls, inputFiles, outputDocument = "" }: Settings): void {
  if (urls.length > 0 || inputFiles.length > 0) return;
  const isCurls = outputDocument.includes("://");
  const hint = isCurls ? "a file is saved under its own name without -O" : "see ftpull --help";
  throw usageError("no URL given", hint);
}

function refuseSecondStandardInput({ inputFiles, passwordFile, checksums }: Settings): void {
  const readers = [...inputFiles, passwordFile, checksums].filter((file) => file === "-");
  if (readers.length > 1) throw usageError('only one option can read standard input, by "-"');
}

/** Refuses -A and its like, where all would be fetched in spite of them. */
function refuseIdle({ recursive, inputFiles, urls }: Settings, program: Command): void {
  const mayHaveTree = recursive || inputFiles.length > 0 || urls.some((url) => /[*[]/.test(url));
  const isGiven = (name: string): boolean => program.getOptionValueSource(name) === "cli";
  const [, idle] = table.find(([name, { forTrees }]) => forTrees && isGiven(name)) ?? [];
  if (idle === undefined || mayHaveTree) return;
  throw usageError(
    `${idle.long} is for --recursive and for patterns in URLs`,
    "-r fetches what is below a directory",
  );
}

function helpText(program: Command): string {
  const parts = [
    program.helpInformation().trimEnd(),
    ["Environment:", ...columns(environment)].join("\n"),
    ["Exit status:", ...columns(exitStatuses)].join("\n"),
    ["Examples:", ...helpExamples.map((example) => `  ${example}`)].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function columns(rows: readonly (readonly [term: string | number, meaning: string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => `${term}`.length));
  return rows.map(([term, meaning]) => `  ${`${term}`.padEnd(width)}  ${meaning}`);
}
