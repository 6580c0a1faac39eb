/** The only importer of commander, which parses by the option table and lays out the help. */
import { Command, CommanderError, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { usageError } from "../errors.ts";
import { type OptionRow, readArgument } from "./option-row.ts";
import { exclusions } from "./table.ts";

/** Parses words with the options of `rows` alone: making all of them takes longer than a small download may. */
export function parsed(rows: Iterable<OptionRow>, words: readonly string[]): Command {
  const program = programWith([["Options", rows]]);
  try {
    return program.parse([...words], { from: "user" });
  } catch (error) {
    throw error instanceof CommanderError ? refusal(error) : error;
  }
}

type Group = readonly [title: string, rows: Iterable<OptionRow>];

export function programWith(groups: readonly Group[]): Command {
  const program = new Command("ftpull")
    .description(`${packageJson.description}.`)
    .usage("[options] <url>...")
    .argument("[url...]")
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  for (const [title, rows] of groups) {
    program.optionsGroup(`${title}:`);
    for (const row of rows) program.addOption(commanderOption(row));
  }
  return program;
}

/** Commander's error in the form of this program's: `unknown option '--x'`, with its `Did you mean` as the hint. */
function refusal({ code, message }: CommanderError): Error {
  const [text = "", guess] = message.replace("error: ", "").split(/\n\((.*)\)/);
  const isUnknown = code === "commander.unknownOption";
  return usageError(
    text,
    guess?.replace("Did", "did") ?? (isUnknown ? "see ftpull --help" : undefined),
  );
}

function commanderOption(row: OptionRow): Option {
  const { name, key, argument, summary, default: byDefault, value = true } = row;
  const flags = argument === undefined ? name : `${name} <${argument}>`;
  const more = byDefault === undefined ? "" : ` (default ${byDefault})`;
  const option = new Option(flags, summary + more);
  option.conflicts(exclusions[key]?.split(" ") ?? []);
  // Commander would make --no-x the negation of --x.
  option.negate = false;
  option.attributeName = () => key;
  if (argument === undefined) return option.preset(value);
  if (!row.isRepeatable) return option.argParser((text) => readArgument(row, text));
  const add = (text: string, earlier: unknown): unknown =>
    [earlier ?? [], readArgument(row, text)].flat();
  return option.argParser(add);
}
