/**
 * Parses the command line to `Settings`, by the option table. The only importer of commander,
 * which splits the words; their meaning is decided here.
 */
import { Command, CommanderError, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { FtpullError } from "../errors.ts";
import {
  environment,
  exitStatuses,
  helpExamples,
  type OptionRecord,
  options,
  optionSummary,
  optionTerm,
} from "./table.ts";
import { readArgument, type Setting } from "./values.ts";

/** `text` is to be printed on standard output as it is. */
export type CommandLine =
  | { readonly action: "help" | "version"; readonly text: string }
  | { readonly action: "run"; readonly settings: Settings };

/** The options under their names in the table: flags are booleans, arguments are parsed. */
export type Settings = { readonly [Name in SettingName]: Setting<(typeof options)[Name]> } & {
  /** As written; there is at least one unless `inputFile` is set. */
  readonly urls: readonly string[];
};

type SettingName = Exclude<keyof typeof options, "help" | "version">;

/**
 * Parses the words that follow the program's name, without printing anything.
 * @throws FtpullError "usage"
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const program = createProgram();
  parseWords(program, argv);
  const { help, version, ...given } = program.opts<Given>();
  if (help) return { action: "help", text: helpText(program) };
  if (version) return { action: "version", text: `ftpull ${packageJson.version}\n` };
  checkContradictions(program);
  const settings = { ...given, urls: program.args };
  if (settings.urls.length === 0 && settings.inputFile === undefined)
    throw usageError("no URL given");
  return { action: "run", settings };
}

type Given = Omit<Settings, "urls"> & { readonly help: boolean; readonly version: boolean };

const table = Object.entries<OptionRecord>(options);

function createProgram(): Command {
  const program = new Command("ftpull")
    .description(`${packageJson.description}.`)
    .usage("[options] <url>...")
    .argument("[url...]")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({
      helpWidth: 80,
      visibleArguments: () => [],
      optionTerm: (option) => (option.short ? "" : "    ") + option.flags,
      optionDescription: (option) => option.description,
    });
  for (const [name, record] of table) program.addOption(commanderOption(name, record));
  return program;
}

function commanderOption(name: string, record: OptionRecord): Option {
  const option = new Option(optionTerm(record), optionSummary(record));
  option.helpGroup(`${record.group}:`);
  // Commander would make --no-x the negation of --x.
  option.negate = false;
  option.attributeName = () => name;
  if (record.argument === undefined) return option.default(false);
  option.argParser((text, earlier: unknown) => {
    const value = readArgument(record, text);
    return record.repeatable ? [earlier, value].flat() : value;
  });
  return option.default(defaultValue(record));
}

function defaultValue(record: OptionRecord): unknown {
  if (record.repeatable) return [];
  return record.default === undefined ? undefined : readArgument(record, record.default);
}

function parseWords(program: Command, argv: readonly string[]): void {
  try {
    program.parse(expandWgetForms(argv), { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? fromCommander(error) : error;
  }
}

/** Short options of two letters, which are wget's. */
const wgetForms: Readonly<Record<string, string>> = {
  "-nc": options.noClobber.long,
  "-nH": options.noHostDirectories.long,
};

/** Replaces wget's `-nc`, which commander would read as `-n -c`, unless it is an argument. */
function expandWgetForms(argv: readonly string[]): string[] {
  const words = [...argv];
  for (let at = 0; at < words.length && words[at] !== "--"; at++) {
    const word = words[at] ?? "";
    const long = wgetForms[word];
    if (long !== undefined) words[at] = long;
    else if (takesNextWord(word)) at++;
  }
  return words;
}

function takesNextWord(word: string): boolean {
  if (word.startsWith("--")) return takesArgument(word);
  if (!word.startsWith("-")) return false;
  // In -vO the first letter with an argument takes the rest of the word, or else the next word.
  const letters = word.slice(1).split("");
  const first = letters.findIndex((letter) => takesArgument(`-${letter}`));
  return first >= 0 && first === letters.length - 1;
}

function takesArgument(flag: string): boolean {
  return table.some(
    ([, { short, long, argument }]) => argument !== undefined && (flag === short || flag === long),
  );
}

/**
 * Rewords `error: unknown option '--x'`, which a line `(Did you mean --y?)` may follow. Text behind
 * the option's name is left out: it may be a password, as with options of other programs.
 */
function fromCommander({ code, message }: CommanderError): FtpullError {
  const suggestion = /\n\((Did you mean (?:one of )?--.*\?)\)$/.exec(message);
  const [, culprit] = /'(.*)'/s.exec(message.slice(0, suggestion?.index)) ?? [];
  if (code !== "commander.unknownOption") return usageError(`no argument for "${culprit}"`);
  const name = optionName(culprit ?? "");
  if (table.some(([, { long }]) => long === name)) return usageError(`${name} takes no argument`);
  return usageError(`unknown option "${name}"`, suggestion?.[1]?.replace("Did", "did"));
}

function optionName(word: string): string {
  return word.startsWith("--") ? word.replace(/[=:].*/s, "") : /^-?.?/su.exec(word)![0];
}

function checkContradictions(program: Command): void {
  const given = table.filter(([name]) => program.getOptionValueSource(name) === "cli");
  const longs = given.map(([, { long }]) => long);
  for (const [, { long, excludes }] of given) {
    const other = excludes?.find((excluded) => longs.includes(excluded));
    if (other !== undefined) throw usageError(`${long} and ${other} contradict each other`);
  }
  const [first, second] = given.filter(
    ([name, { readsStandardInput }]) => readsStandardInput && program.getOptionValue(name) === "-",
  );
  if (first === undefined || second === undefined) return;
  throw usageError(`${first[1].long} and ${second[1].long} cannot both read standard input`);
}

function helpText(program: Command): string {
  const variables = environment.map(({ name, meaning }) => [name, meaning] as const);
  const statuses = exitStatuses.map(({ status, meaning }) => [`${status}`, meaning] as const);
  const parts = [
    program.helpInformation().trimEnd(),
    ["Environment:", ...columns(variables)].join("\n"),
    ["Exit status:", ...columns(statuses)].join("\n"),
    ["Examples:", ...helpExamples.map((example) => `  ${example}`)].join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`);
}

function usageError(message: string, hint = "see ftpull --help"): FtpullError {
  return new FtpullError("usage", message, { hint });
}
