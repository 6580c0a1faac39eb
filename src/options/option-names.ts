/** Finds the options in the words of a command line: whole names, abbreviations, several letters in a word. */
import { type ForeignOption, foreignOptions } from "./foreign.ts";
import { foreignMeaning } from "./foreign-meanings.ts";
import { namesOf, type OptionRecord, options } from "./table.ts";

/** An option as the user wrote it; `option` is undefined for an unknown name. */
export interface Written {
  readonly name: string;
  readonly argument?: string | undefined;
  readonly option: OptionRecord | ForeignOption | undefined;
}

const records = Object.values<OptionRecord>(options);
const longNames = records.map(({ long }) => long);
const foreignNames = [...foreignOptions.keys()];

export const byName = new Map(
  records.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);

/** The options that a word of `command` has: `--tries=5`, or the letters of `-qO-`. */
export function* optionsIn(word: string, next: string | undefined, command: string) {
  const following = next === undefined ? "" : ` ${next}`;
  const meaningOf = (name: string, argument?: string): Written["option"] =>
    foreignMeaning(name, argument === undefined ? following : `=${argument}`, command) ??
    byName.get(name) ??
    foreignOptions.get(name);
  const [name = "", argument] = word.split(/=(.*)/s);
  // The word `-cut-dirs` lacks a dash.
  const isShort = !word.startsWith("--") && !longNames.includes(`-${name}`);
  if (isShort) return yield* shortOptionsIn(word.slice(1), meaningOf);
  yield { name, argument, option: meaningOf(name, argument) };
}

type MeaningOf = (name: string, rest: string | undefined) => Written["option"];

function* shortOptionsIn(word: string, meaningOf: MeaningOf): Generator<Written> {
  for (let letters: string | undefined = word; letters !== undefined;) {
    const name = firstName(letters);
    letters = letters.slice(name.length - 1) || undefined;
    const option = meaningOf(name, letters);
    const isArgument = option?.argument !== undefined || letters?.includes("://");
    yield { name, argument: isArgument ? letters : undefined, option };
    // The rest of the word may be an unknown letter's argument, or a password.
    if (isArgument || option === undefined) return;
  }
}

/** The first option's name: of two letters (wget's `-nc`) at the end, or if the first letter is no option. */
function firstName(letters: string): string {
  const [one = "", two = ""] = letters;
  const double = `-${one}${two}`;
  const isOne = letters === one + two || !byName.has(`-${one}`);
  return isOne && (byName.has(double) || foreignOptions.has(double)) ? double : `-${one}`;
}

/** The options that `name` abbreviates. `--passw` is no `--password-file`, since `--password` isn't. */
export function optionsAbbreviated(name: string): string[] {
  const others = foreignNames.filter((other) => other.startsWith(name));
  const matching = longNames.filter((long) => name.length > 2 && long.startsWith(name));
  return matching.filter((long) => !others.some((other) => long.startsWith(other)));
}

/** The option whose name is one letter or one swap from `typed`: `--x` is not `--no-x`. */
export function optionMeant(typed: string): string | undefined {
  return longNames.find((long) => {
    let [one, other] = [long.replaceAll("-", ""), typed.replaceAll("-", "")];
    while (one !== "" && one[0] === other[0]) [one, other] = [one.slice(1), other.slice(1)];
    while (one !== "" && one.at(-1) === other.at(-1))
      [one, other] = [one.slice(0, -1), other.slice(0, -1)];
    const isSwap = one.length === 2 && one === `${other[1]}${other[0]}`;
    return isSwap || Math.max(one.length, other.length) <= 1;
  });
}
