/** Finds the options in the words of a command line: whole names, abbreviations, several letters in a word. */
import { type ForeignOption, foreignOptions } from "./foreign.ts";
import { foreignMeaning } from "./foreign-meanings.ts";
import { namesOf, type OptionRecord, options } from "./table.ts";

/**
 * An option as the user wrote it: the name with its dashes (`-T`, `-nc`, `--timeout`), and the argument, if it
 * stands in the same word. `option` is undefined for an unknown name.
 */
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
export function* optionsIn(
  word: string,
  nextWord: string | undefined,
  command: string,
): Generator<Written> {
  const meaningOf: MeaningOf = (name, restOfWord) => {
    const inNextWord = nextWord === undefined ? "" : ` ${nextWord}`;
    const following = restOfWord === undefined ? inNextWord : `=${restOfWord}`;
    const foreign = foreignMeaning(name, following, command);
    return foreign ?? byName.get(name) ?? foreignOptions.get(name);
  };
  const [name = "", argument] = word.split(/=(.*)/s);
  const lacksSecondDash = longNames.includes(`-${name}`);
  if (word.startsWith("--") || lacksSecondDash)
    yield { name, argument, option: meaningOf(name, argument) };
  else yield* shortOptionsIn(word.slice(1), meaningOf);
}

type MeaningOf = (name: string, restOfWord: string | undefined) => Written["option"];

function* shortOptionsIn(word: string, meaningOf: MeaningOf): Generator<Written> {
  let letters = word;
  while (letters !== "") {
    const name = firstName(letters);
    letters = letters.slice(name.length - 1);
    const restOfWord = letters === "" ? undefined : letters;
    const option = meaningOf(name, restOfWord);
    const isArgument = option?.argument !== undefined || letters.includes("://");
    yield { name, argument: isArgument ? restOfWord : undefined, option };
    // The rest of the word may be an unknown letter's argument, or a password.
    if (isArgument || option === undefined) return;
  }
}

/**
 * The first option's name. It has two letters (wget's `-nc`) only where no other reading is possible: at the
 * end of the word, or if the first letter is no option.
 */
function firstName(letters: string): string {
  const short = `-${letters.slice(0, 1)}`;
  const double = `-${letters.slice(0, 2)}`;
  const mayBeDouble = letters.length === 2 || !byName.has(short);
  const isDouble = mayBeDouble && (byName.has(double) || foreignOptions.has(double));
  return isDouble ? double : short;
}

/** The options that `name` abbreviates. `--passw` is no `--password-file`, since `--password` isn't. */
export function optionsAbbreviated(name: string): string[] {
  const others = foreignNames.filter((other) => other.startsWith(name));
  const matching = longNames.filter((long) => name.length > 2 && long.startsWith(name));
  return matching.filter((long) => !others.some((other) => long.startsWith(other)));
}

/** The option whose name is one letter or one swap from `typed`: `--x` is not `--no-x`. */
export function optionMeant(typed: string): string | undefined {
  return longNames.find((long) => isNear(long.replaceAll("-", ""), typed.replaceAll("-", "")));
}

/** Two names with a blank between them: what differs has a common start and a common end around it. */
const difference = /^(?<start>\w*)(?<named>\w*?)(?<end>\w*) \k<start>(?<typed>.*?)\k<end>$/s;

function isNear(name: string, typedName: string): boolean {
  const { named = "", typed = "" } = difference.exec(`${name} ${typedName}`)?.groups ?? {};
  const isSwap = named.length === 2 && named === `${typed[1]}${typed[0]}`;
  return isSwap || Math.max(named.length, typed.length) <= 1;
}
