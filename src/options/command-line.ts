/** Parses the command line to `Settings`, by the option table. */
import packageJson from "../../package.json" with { type: "json" };
import { usageError } from "../errors.ts";
import { completionScript } from "./completion.ts";
import { helpText } from "./help.ts";
import { manualPage } from "./manual-page.ts";
import { defaultOf } from "./option-row.ts";
import { parsed } from "./program.ts";
import { options, type OptionValues } from "./table.ts";
import { canonicalWords } from "./words.ts";

/** What was asked for: a text to print, or a run. */
type CommandLine =
  | { readonly text: string | Promise<string>; readonly settings?: never }
  | { readonly text?: never; readonly settings: Settings };

/** Settings of a run, under their keys in the option table. There are `urls`, as written, or `inputFiles`. */
export interface Settings extends Omit<
  OptionValues,
  "help" | "version" | "manual" | "completion" | "isDone" | "mirror"
> {
  readonly urls: readonly string[];
  /** An option was given that says how a file is saved: a directory isn't wanted. */
  readonly wantsFile: boolean;
}

/** Settings that say how a file is saved. */
const savingOptions =
  "outputDocument directoryPrefix continue timestamping noClobber force " +
  "checksum checksums verify segments json";

/** Parses the words behind the program's name. @throws FtpullError "usage" */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { words, rows } = canonicalWords(argv);
  const program = parsed(rows, words);
  const values = { ...defaults(), ...program.opts<Partial<OptionValues>>() } as OptionValues;
  if (values.help !== undefined) return { text: helpText(values.help) };
  if (values.version) return { text: `ftpull ${packageJson.version}\n` };
  if (values.completion !== undefined) return { text: completionScript(values.completion) };
  if (values.manual) return { text: manualPage() };
  const wantsFile = [...rows].some(({ key }) => savingOptions.split(" ").includes(key));
  const recursive = values.recursive || values.mirror;
  const timestamping = values.timestamping || values.mirror;
  const settings = { ...values, recursive, timestamping, urls: program.args, wantsFile };
  refuseUrlAsFile(settings);
  refuseWithoutUrl(settings);
  refuseSecondStandardInput(settings);
  return { settings };
}

/** The first option of a setting has its default. */
function defaults(): Record<string, unknown> {
  return Object.fromEntries(options.toReversed().map((row) => [row.key, defaultOf(row)]));
}

/** -O of curl takes no argument. Not quoted: it may have a password. */
function refuseUrlAsFile({ outputDocument = "" }: Settings): void {
  if (outputDocument.includes("://"))
    throw usageError("-O names a file, not a URL: without -O a file keeps its name");
}

function refuseWithoutUrl({ urls, inputFiles }: Settings): void {
  if (urls.length > 0 || inputFiles.length > 0) return;
  throw usageError("no URL given", "see ftpull --help");
}

function refuseSecondStandardInput({ inputFiles, passwordFile, checksums }: Settings): void {
  const readers = [...inputFiles, passwordFile, checksums].filter((file) => file === "-");
  if (readers.length > 1) throw usageError('only one option can read standard input, by "-"');
}
