/** A row of the option table, and how the argument of its option is read. */
import { usageError } from "../errors.ts";
import { redactUrlText } from "../text/redact.ts";
import { type Kind, kinds, type ValueKind } from "./value-kinds.ts";

export interface OptionRow extends OptionDetails {
  /** The setting that the option gives. */
  readonly key: string;
  readonly names: readonly string[];
  /** The name that commander and messages use: the long one, if there is one. */
  readonly name: string;
  readonly argument: string | undefined;
  /** The arguments of several such options add up. */
  readonly isRepeatable: boolean;
  readonly default: string | undefined;
  /** Names that wget and curl have for it; `--list-only=names` stands for `--format=names`. */
  readonly aliases: readonly string[];
  /** Shown by -h. */
  readonly isFrequent: boolean;
  /** Text for --help: at most 60 columns, imperative. */
  readonly summary: string;
}

interface OptionDetails {
  /** What a flag gives: true, if it isn't said. */
  readonly value?: unknown;
  /** The kind of the argument, unless its name is one. */
  readonly kind?: ValueKind;
  readonly choices?: readonly string[];
  /** Words of the manual for what the aliases stand for, if it isn't the option. */
  readonly meaning?: string;
}

/**
 * Makes a row. `form` has names and argument as in `• -T, --timeout <seconds=30> | --connect-timeout`: a bullet is for -h, what
 * follows "=" is the default, and aliases stand behind "|". Arguments of `<file...>` add up.
 */
export function row<
  const Key extends string,
  const Form extends string,
  const Details extends OptionDetails,
>(key: Key, form: Form, summary: string, details = {} as Details) {
  const [, bullet, list = "", argument, dots, value, aliases] =
    /^(\u2022 )?([^<|]*?)(?: <([^.=>]+)(\.{3})?(?:=(.*))?>)?(?: \| (.*))?$/.exec(form) ?? [];
  const names = list.split(", ");
  return {
    key,
    form,
    summary,
    names,
    name: names.at(-1)!,
    argument,
    isRepeatable: dots !== undefined,
    default: value,
    aliases: aliases?.split(" ") ?? [],
    isFrequent: bullet !== undefined,
    ...details,
  };
}

/** @throws FtpullError "usage" */
export function readArgument(row: OptionRow, text: string): unknown {
  const { name, argument = "", choices, kind: kindName = argument } = row;
  const kind: Kind = kindName in kinds ? kinds[kindName as ValueKind] : kinds.text;
  const read = kind.read(text);
  const value = choices ? choices.find((one) => one === read) : read;
  if (value !== undefined) return value;
  // A colon alone begins no password: a checksum has one, too.
  const quoted = text.includes("@") ? redactUrlText(text) : text;
  const shown = kind.isSecret ? name : `${name} "${quoted}"`;
  throw usageError(`${shown}: expected ${choices?.join(", ") ?? kind.expected}`, kind.hint);
}

/** The value of a setting when none of its options is given. */
export function defaultOf(row: OptionRow): unknown {
  if (row.isRepeatable) return [];
  if (row.default !== undefined) return readArgument(row, row.default);
  if (row.argument !== undefined) return undefined;
  const { value = true } = row;
  return typeof value === "boolean" ? !value : undefined;
}
