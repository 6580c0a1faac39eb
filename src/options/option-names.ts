/** Finds the options in the words of a command line: whole names, abbreviations, several letters in a word. */
import { type ForeignOption, foreignMeaning, foreignOptions } from "./foreign.ts";
import { namesOf, type OptionRecord, options } from "./table.ts";

/** An option as it is written. */
export interface Written {
  readonly name: string;
  /** The argument in the same word. */
  readonly argument?: string | undefined;
  /** The option that the name means in its place; undefined for an unknown name. */
  readonly option: OptionRecord | ForeignOption | undefined;
}

const records = Object.values<OptionRecord>(options);

/** The long names of all options, in the table's order. */
export const longNames = records.map(({ long }) => long);

/** The options by each of their names. */
export const byName = new Map(
  records.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

const foreignNames = [...foreignOptions.keys()];

/** The options that a word has: `--tries=5`, or the letters of `-qO-`. `next` is the word behind it. */
export function* optionsIn(word: string, next?: string): Generator<Written> {
  if (!word.startsWith("--")) return yield* shortOptionsIn(word.slice(1), next);
  const [name = "", argument] = word.split(/=(.*)/s);
  yield { name, argument, option: meaningOf(name, argument, next) };
}

/** In `-qO-` the first option with an argument takes the rest of the word. */
function* shortOptionsIn(word: string, next: string | undefined): Generator<Written> {
  for (let letters: string | undefined = word; letters !== undefined;) {
    const name = firstName(letters);
    letters = letters.slice(name.length - 1) || undefined;
    const option = meaningOf(name, letters, next);
    const isArgument = option?.argument !== undefined || letters?.includes("://");
    yield { name, argument: isArgument ? letters : undefined, option };
    // The rest of the word may be an unknown letter's argument, or a password.
    if (isArgument || option === undefined) return;
  }
}

/** The name alone: a password may follow it. */
export function firstOption(word: string): string {
  return optionsIn(word).next().value?.name ?? "";
}

/** Whether a word begins with the name of an option, here or in another program; -1 is a number. */
export function isOption(word: string): boolean {
  if (!word.startsWith("-")) return false;
  const name = firstOption(word);
  if (!name.startsWith("--"))
    return byName.has(name) || (/^-\D/.test(name) && foreignOptions.has(name));
  return [...longNames, ...foreignNames].some((long) => long.startsWith(name));
}

/** The option that a name means before these letters or this argument, or else before the next word. */
function meaningOf(name: string, rest: string | undefined, next: string | undefined) {
  const nextWord = next === undefined ? "" : ` ${next}`;
  const foreign = foreignMeaning(name, rest === undefined ? nextWord : `=${rest}`);
  return foreign ?? byName.get(name) ?? foreignOptions.get(name) ?? foreignAbbreviated(name);
}

/** Another program's option, as `--no-passive`, where no option here begins so. */
function foreignAbbreviated(name: string): ForeignOption | undefined {
  if (name.length < 5 || longNames.some((long) => long.startsWith(name))) return undefined;
  const matching = foreignNames.filter((long) => long.startsWith(name) && !long.includes("="));
  return matching.length === 1 ? foreignOptions.get(matching[0]!) : undefined;
}

/** Two letters are one option, as in wget's `-nc`, where the first alone is none, or at the end. */
function firstName(letters: string): string {
  const [one = "", two = ""] = letters;
  const double = `-${one}${two}`;
  const isOne = letters === one + two || !byName.has(`-${one}`);
  return isOne && (byName.has(double) || foreignOptions.has(double)) ? double : `-${one}`;
}

/** `--passw` is none of `--password-file`, since `--password` would not be. */
export function isAbbreviation(name: string, long: string): boolean {
  if (!long.startsWith(name)) return false;
  return !foreignNames.some((other) => other.startsWith(name) && long.startsWith(other));
}

/** Whether the names are one letter or one swap apart: `--x` and `--no-x` are not. */
export function isTypoOf(long: string, typed: string): boolean {
  let [one, other] = [long.replaceAll("-", ""), typed.replaceAll("-", "")];
  while (one !== "" && one[0] === other[0]) [one, other] = [one.slice(1), other.slice(1)];
  while (one !== "" && one.at(-1) === other.at(-1))
    [one, other] = [one.slice(0, -1), other.slice(0, -1)];
  const isSwap = one.length === 2 && one === `${other[1]}${other[0]}`;
  return isSwap || Math.max(one.length, other.length) <= 1;
}
