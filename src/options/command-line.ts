/**
 * Parses the command line to `Settings`, by the option table. The only importer of commander, which
 * gets options by their long names from words.ts, and lays out --help.
 */
import { Command, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { redactUrlText } from "../text/redact.ts";
import { refuseBareWords } from "./bare-words.ts";
import { commandError } from "./command-error.ts";
import { completionScript } from "./completion.ts";
import { byName } from "./option-names.ts";
import type { CommandPart } from "./proposal.ts";
import {
  environment,
  exitStatuses,
  helpExamples,
  type OptionRecord,
  options,
  optionSummary,
} from "./table.ts";
import { readArgument, type Setting } from "./values.ts";
import { Words } from "./words.ts";

export type CommandLine =
  | { readonly action: "print"; readonly text: string }
  | { readonly action: "manual" }
  | { readonly action: "run"; readonly settings: Settings };

/**
 * Settings of a run, under their names in the option table. `urls` are as written, at least one unless
 * `inputFiles` has some; `given` are the options without passwords, for commands that are proposed later.
 */
export interface Settings extends Omit<AllSettings, "help" | "version" | "manual" | "completion"> {
  readonly urls: readonly string[];
  readonly given: readonly CommandPart[];
}

type AllSettings = { readonly [Name in keyof typeof options]: Setting<(typeof options)[Name]> };

/** Parses the words behind the program's name. @throws FtpullError "usage" */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const words = new Words(argv);
  const given = givenSettings(words);
  const { help, version, manual, completion, ...settings } = { ...defaultSettings(), ...given };
  const isRun = !help && !version && !manual && completion === undefined;
  if (isRun) refuseContradictions(given, words);
  if (words.problems.length > 0) throw commandError(words);
  if (help) return { action: "print", text: helpText() };
  if (version) return { action: "print", text: `ftpull ${packageJson.version}\n` };
  if (completion !== undefined) return { action: "print", text: completionScript(completion) };
  if (manual) return { action: "manual" };
  return { action: "run", settings: { ...settings, urls: words.urls, given: words.given } };
}

const table = Object.entries<OptionRecord>(options);

function givenSettings(words: Words): Partial<AllSettings> {
  const counting = withoutOverridden(words.options);
  const longs = new Set(counting.map(longName));
  // Registering all options with commander takes longer than everything else here.
  const given = table.filter(([, { long }]) => longs.has(long));
  return createProgram(given, words).parse(counting, { from: "user" }).opts();
}

/** The options but for those that a later rival overrides, as -q does an earlier -v. */
function withoutOverridden(written: readonly string[]): string[] {
  const overridden = new Set<string>();
  const counting: string[] = [];
  for (const word of written.toReversed()) {
    const long = longName(word);
    if (overridden.has(long)) continue;
    counting.unshift(word);
    for (const rival of byName.get(long)?.rivals ?? []) overridden.add(rival);
  }
  return counting;
}

function longName(word: string): string {
  return word.replace(/=.*/s, "");
}

function defaultSettings(): AllSettings {
  const defaults = table.map(([name, record]) => [name, defaultValue(record)] as const);
  return Object.fromEntries(defaults) as unknown as AllSettings;
}

function createProgram(records: typeof table, words: Words): Command {
  const program = new Command("ftpull")
    .description(`${packageJson.description}.`)
    .usage("[options] <url>...")
    .helpOption(false)
    .configureHelp({
      helpWidth: 80,
      optionTerm: (option) => helpTerm(options[option.attributeName() as keyof typeof options]),
      optionDescription: (option) => option.description,
      formatItem: (term, width, text) => ` ${term.padEnd(Math.min(width, 29))}  ${text}`,
    });
  for (const [name, record] of records) {
    if (record.heading !== undefined) program.optionsGroup(`${record.heading}:`);
    program.addOption(commanderOption(name, record, words));
  }
  return program;
}

/** Aligns names at their comma: wget's short names have two letters. */
function helpTerm(record: OptionRecord): string {
  const indent = record.short === undefined ? 5 : 3 - record.short.length;
  return " ".repeat(indent) + record.flags;
}

function commanderOption(name: string, record: OptionRecord, words: Words): Option {
  const { long, argument, implies = {} } = record;
  const flags = argument === undefined ? long : `${long} <${argument}>`;
  const option = new Option(flags, optionSummary(record)).implies(implies);
  // Commander would make --no-x the negation of --x.
  option.negate = false;
  option.attributeName = () => name;
  if (argument === undefined) return option;
  return option.argParser((text, earlier: unknown) => {
    const value = readArgument(record, text, (...why) => words.refuse(...why));
    if (value === undefined) return earlier;
    if (record.repeatable) return [earlier ?? [], value].flat();
    return value;
  });
}

function defaultValue(record: OptionRecord): unknown {
  if (record.argument === undefined) return false;
  if (record.repeatable) return [];
  if (record.default === undefined) return undefined;
  return readArgument(record, record.default, () => undefined);
}

function refuseContradictions(settings: Partial<AllSettings>, words: Words): void {
  const given = table.flatMap(([name, record]) => (name in settings ? [record] : []));
  const longs = given.map(({ long }) => long);
  if (proposesMirror(settings, words)) longs.push("--recursive");
  for (const option of given) {
    refuseExcluded(option, longs, words);
    refuseWithoutNeed(option, longs, words);
  }
  refuseSecondStandardInput(settings, words);
  if (settings.forceDirectories) refuseProxyAsUrl(words);
  if (settings.base === undefined) refuseBareWords(words);
  if (settings.inputFiles === undefined) refuseWithoutUrl(words);
}

/** True for lftp's command `mirror`, which bare-words.ts replaces by -m. With --base the word is a name. */
function proposesMirror({ base }: Partial<AllSettings>, { urls }: Words): boolean {
  return base === undefined && urls.length > 1 && urls.includes("mirror");
}

function refuseExcluded({ long, excludes }: OptionRecord, longs: string[], words: Words): void {
  const other = excludes?.find((excluded) => longs.includes(excluded));
  if (other === undefined) return;
  const areProposed = words.proposed.has(long) && words.proposed.has(other);
  if (areProposed) words.proposal.giveUp();
  else words.refuse(`${long} and ${other} contradict each other`, instead.get(`${long} ${other}`));
}

const instead = new Map([
  ["--recursive --format", "what a tree has is listed by -r --spider"],
  [
    "--timestamping --output-document",
    "-N compares the file that has the URL's name: -P names its directory",
  ],
]);

function refuseWithoutNeed({ long, needs }: OptionRecord, longs: string[], words: Words): void {
  if (needs !== undefined && !longs.includes(needs))
    words.refuse(`${long} is for ${needs}, which is not given`);
}

function refuseSecondStandardInput(settings: Partial<AllSettings>, words: Words): void {
  const [first, second] = table.flatMap(([name, { long, readsStandardInput }]) => {
    const values = readsStandardInput ? [settings[name as keyof AllSettings]].flat() : [];
    return values.filter((value) => value === "-").map(() => `${long}=-`);
  });
  if (second !== undefined) words.refuse(`${first} and ${second} both read standard input`);
}

const proxyUrl = /^(?:(?:https?|socks\w*):\/\/|(?:[a-z][\w.-]*|(?:\d+\.){3}\d+):\d+\/?$)/i;

/** Refuses `curl -x PROXY URL`, which would fetch the documents without the proxy. */
function refuseProxyAsUrl(words: Words): void {
  const proxy = words.urls.find((url) => proxyUrl.test(url));
  if (proxy === undefined) return;
  const message = `"${redactUrlText(proxy)}" is no ftp: URL, and -x is --force-directories`;
  words.refuse(message, "for a proxy write --proxy URL, or set the variable ftp_proxy");
}

function refuseWithoutUrl(words: Words): void {
  if (words.urls.length > 0 || words.problems.length > 0) return;
  const taken = words.given.find(({ text }) => text.includes("://"));
  words.refuse(taken === undefined ? "no URL given" : `no URL given, but in: ${taken.text}`);
}

function helpText(): string {
  const parts = [
    createProgram(table, new Words([])).helpInformation().trimEnd(),
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
