/** Reads the arguments of options by their kind, and derives the types of the settings. */
import { usageError } from "../errors.ts";
import { redactUrlText } from "../text/redact.ts";
import type { OptionRecord } from "./table.ts";
import { type Kind, kinds, type ValueKind } from "./value-kinds.ts";

export type Setting<Option> = Option extends { flags: `${string}<${infer Argument}>` }
  ? Option extends { repeatable: true }
    ? readonly Flat<Value<Option, Argument>>[]
    : Option extends { default: string }
      ? Value<Option, Argument>
      : Value<Option, Argument> | undefined
  : boolean;

type Flat<T> = T extends readonly (infer Element)[] ? Element : T;

type Value<Option, Argument> = Option extends { choices: readonly (infer Choice)[] }
  ? Choice
  : ValueOf<Option extends { value: infer Kind } ? Kind : Argument>;

type ValueOf<Kind> = Kind extends ValueKind
  ? NonNullable<ReturnType<(typeof kinds)[Kind]["read"]>>
  : string;

/** @throws FtpullError "usage" */
export function readArgument(record: OptionRecord, text: string): unknown {
  const { long, argument = "", choices, value: name = argument } = record;
  const kind: Kind = name in kinds ? kinds[name as ValueKind] : kinds.text;
  const read = kind.read(text);
  const value = choices ? choices.find((one) => one === read) : read;
  if (value !== undefined) return value;
  const shown = kind.isSecret ? long : `${long} "${redactUrlText(text)}"`;
  throw usageError(`${shown}: expected ${choices?.join(", ") ?? kind.expected}`, kind.hint);
}
