/** Reads the arguments of options by their kind, and derives the types of the settings. */
import { usageError } from "../errors.ts";
import { redactUrlText } from "../text/redact.ts";
import type { OptionRow } from "./option-row.ts";
import type { Row } from "./table.ts";
import { type Kind, kinds, type ValueKind } from "./value-kinds.ts";

/** The value of each setting: undefined for an option without a default that isn't given. */
export type OptionValues = { readonly [Each in Row as Each["key"]]: Setting<Each> };

type Setting<Each> = Each extends { form: `${string}<${infer Argument}>${string}` }
  ? Argument extends `${infer Name}...`
    ? readonly Flat<Argued<Each, Name>>[]
    : Argument extends `${infer Name}=${string}`
      ? Argued<Each, Name>
      : Argued<Each, Argument> | undefined
  : Each extends { value: infer Value }
    ? Value extends boolean
      ? boolean
      : Value | undefined
    : boolean;

type Flat<T> = T extends readonly (infer Element)[] ? Element : T;

type Argued<Each, Argument> = Each extends { choices: readonly (infer Choice)[] }
  ? Choice
  : ReadBy<Each extends { kind: infer Kind } ? Kind : Argument>;

type ReadBy<Kind> = Kind extends ValueKind
  ? NonNullable<ReturnType<(typeof kinds)[Kind]["read"]>>
  : string;

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
