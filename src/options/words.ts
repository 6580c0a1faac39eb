/**
 * Brings the words of a command line into the form that commander reads: wget's options of two letters (`-nc`, also
 * in `-rnH`), abbreviated long options, and names of other programs. Errors show no argument: it may be a password.
 */
import { usageError } from "../errors.ts";
import { hintsByName, replacements } from "./foreign.ts";
import { namesOf, type OptionRecord, options } from "./table.ts";

const records = Object.values<OptionRecord>(options);
const byName = new Map(
  records.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
);
const allNames = [...byName.keys(), ...replacements.keys(), ...hintsByName.keys()];

/** @throws FtpullError "usage" */
export function* canonicalWords(argv: readonly string[]): Generator<string> {
  for (const [index, word] of argv.entries()) {
    if (word === "--") return yield* argv.slice(index);
    if (/^--./s.test(word)) yield* longOption(word);
    else if (/^-./s.test(word)) yield* shortOptions(word.slice(1));
    else yield word;
  }
}

function* longOption(word: string): Generator<string> {
  const [typed = "", argument] = word.split(/=(.*)/s);
  const name = unabbreviated(typed);
  const [text] = wordsFor(name);
  if (text === undefined) return;
  const record = byName.get(text);
  if (argument === undefined || record === undefined) return yield text;
  if (record.argument === undefined) throw usageError(`${typed} takes no argument`);
  yield `${text}=${argument}`;
}

function* shortOptions(letters: string): Generator<string> {
  let rest = letters;
  while (rest !== "") {
    const isPair = rest.startsWith("n") && rest.length > 1;
    const name = `-${rest.slice(0, isPair ? 2 : 1)}`;
    const record = byName.get(name);
    const text = rest.slice(name.length - 1);
    if (record?.argument !== undefined)
      return yield text === "" ? record.long : `${record.long}=${text}`;
    yield* wordsFor(name);
    // Behind an unknown letter there may be its argument.
    if (record === undefined && !replacements.has(name)) return;
    rest = text;
  }
}

/** The name that commander knows; none for a flag without effect. Commander refuses what is unknown. */
function wordsFor(name: string): string[] {
  const hint = hintsByName.get(name);
  if (hint !== undefined) throw usageError(`unknown option "${name}"`, hint);
  const text = replacements.has(name) ? replacements.get(name) : (byName.get(name)?.long ?? name);
  return text === undefined ? [] : [text];
}

/** The only name that begins so: `--passw` is none, since there are `--password` and `--password-file`. */
function unabbreviated(typed: string): string {
  const [name, another] = allNames.filter((one) => one.startsWith(typed));
  const isUnique = name !== undefined && another === undefined && typed.length > 2;
  return isUnique && !allNames.includes(typed) ? name : typed;
}
