/**
 * Reads how options are written: long ones with "=" or without, short ones, several in a word, and
 * those of wget and curl. What they mean is decided in command-line.ts.
 */
import { FtpullError } from "../errors.ts";
import { foreignOptions } from "./foreign.ts";
import { type OptionRecord, options, optionTerm } from "./table.ts";
import { alternatives } from "./values.ts";

interface Words {
  /** Long names, each with its argument in the same word: `--tries=5`. */
  readonly options: readonly string[];
  readonly urls: readonly string[];
}

/** An option as it is written; `argument` is in the same word. */
interface Written {
  readonly name: string;
  readonly argument?: string;
}

/** @throws FtpullError "usage" for options that the table doesn't have, and missing arguments */
export function readWords(argv: readonly string[]): Words {
  const read: { options: string[]; urls: string[] } = { options: [], urls: [] };
  const words = argv.values();
  const next = (): string | undefined => words.next().value;
  for (const word of words) {
    if (word === "--") for (const url of words) read.urls.push(url);
    else if (!/^-./s.test(word)) read.urls.push(word);
    else for (const written of optionsIn(word)) read.options.push(...spelledOut(written, next));
  }
  return { ...read, options: settled(read.options) };
}

/** What a foreign option implies (`--level?=0`) counts once, unless the user has said otherwise. */
function settled(written: readonly string[]): string[] {
  const isImplied = (option: string): boolean => /^--[a-z-]+\?=/.test(option);
  const implied = new Set(written.filter(isImplied).map((option) => option.replace("?", "")));
  const given = written.filter((option) => !isImplied(option));
  const isOpen = (option: string): boolean =>
    !given.some((other) => other.startsWith(option.slice(0, option.indexOf("=") + 1)));
  return [...given, ...[...implied].filter(isOpen)];
}

export function usageError(message: string, hint = "see ftpull --help"): FtpullError {
  return new FtpullError("usage", message, { hint });
}

const records = Object.values<OptionRecord>(options);
const longNames = records.map(({ long }) => long);
const byName = new Map(
  records.flatMap((record) => [record.short, record.long].map((name) => [name, record] as const)),
);

function* optionsIn(word: string): Generator<Written> {
  const at = word.indexOf("=");
  if (!word.startsWith("--")) yield* shortOptionsIn(word.slice(1));
  else if (at < 0) yield { name: word };
  else yield { name: word.slice(0, at), argument: word.slice(at + 1) };
}

/** In `-qO-` the first option with an argument takes the rest of the word. */
function* shortOptionsIn(letters: string): Generator<Written> {
  for (let rest = letters; rest !== "";) {
    const name = firstName(rest);
    rest = rest.slice(name.length - 1);
    if (rest !== "" && byName.get(name)?.argument !== undefined)
      return yield { name, argument: rest };
    yield { name };
  }
}

/** Two letters are one option, as in wget's `-nc`, where the first alone is none, or at the end. */
function firstName(letters: string): string {
  const [one = "", two = ""] = letters;
  const double = `-${one}${two}`;
  const isOne = letters === one + two || !byName.has(`-${one}`);
  return isOne && (byName.has(double) || double in foreignOptions) ? double : `-${one}`;
}

function spelledOut(written: Written, next: () => string | undefined): readonly string[] {
  const record = byName.get(written.name);
  const foreign = foreignOptions[written.name];
  if (foreign !== undefined && (record === undefined || isCurls(written)))
    return standIn(written, foreign);
  return [spelledByTable(record ?? abbreviated(written.name), written, next)];
}

/** curl's -s is a flag, as in -fsSL; here a number follows. */
function isCurls({ argument }: Written): boolean {
  return /^[a-z#]/i.test(argument ?? "");
}

function standIn(
  { name, argument }: Written,
  foreign: string | readonly string[],
): readonly string[] {
  const shown = name.startsWith("--") ? name : name + (argument?.charAt(0) ?? "");
  if (typeof foreign === "string")
    throw new FtpullError("usage", `unknown option "${shown}": ${foreign}`);
  if (argument !== undefined) throw usageError(`${name} takes no argument`);
  return foreign;
}

function spelledByTable(
  record: OptionRecord,
  { argument }: Written,
  next: () => string | undefined,
): string {
  if (record.argument !== undefined) {
    const text = argument ?? next();
    if (text === undefined) throw usageError(`no argument for "${optionTerm(record)}"`);
    return `${record.long}=${text}`;
  }
  if (argument !== undefined) throw usageError(`${record.long} takes no argument`);
  return record.long;
}

/** A beginning that only one long name has. Text behind ":" isn't shown: it may be a password. */
function abbreviated(name: string): OptionRecord {
  const matching = name.length > 2 ? longNames.filter((long) => isAbbreviation(name, long)) : [];
  const record = matching.length === 1 ? byName.get(matching[0]) : undefined;
  if (record !== undefined) return record;
  const shown = name.replace(/(?<=^--.*):.*/s, "");
  if (matching.length > 1) throw usageError(`"${shown}" may be ${alternatives(matching)}`);
  const meant = longNames.find((long) => isTypoOf(long, shown));
  throw usageError(`unknown option "${shown}"`, meant && `did you mean ${meant}?`);
}

/** `--passw` is none of `--password-file`, since `--password` would not be. */
function isAbbreviation(name: string, long: string): boolean {
  const isForeign = (other: string) => other.startsWith(name) && long.startsWith(other);
  return long.startsWith(name) && !Object.keys(foreignOptions).some(isForeign);
}

/** Whether the names are one letter or one swap apart: `--x` and `--no-x` are not. */
function isTypoOf(long: string, typed: string): boolean {
  let [one, other] = [long.replaceAll("-", ""), typed.replaceAll("-", "")];
  while (one !== "" && one[0] === other[0]) [one, other] = [one.slice(1), other.slice(1)];
  while (one !== "" && one.at(-1) === other.at(-1))
    [one, other] = [one.slice(0, -1), other.slice(0, -1)];
  const isSwap = one.length === 2 && one === `${other[1]}${other[0]}`;
  return isSwap || Math.max(one.length, other.length) <= 1;
}
