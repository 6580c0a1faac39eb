/**
 * Brings the words of a command line into the form that commander reads: wget's options of two letters (`-nc`, also
 * in `-rnH`), unique prefixes of long options, and aliases become the option's name. No argument of an option is
 * put into an error: it may be a password.
 */
import { usageError } from "../errors.ts";
import { hintsByName } from "./hints.ts";
import type { OptionRow } from "./option-row.ts";
import { parsed } from "./program.ts";
import { options, shownOptions } from "./table.ts";

/** The option that a name stands for; `argument` is the one that an alias brings along. */
interface Meaning {
  readonly row: OptionRow;
  readonly argument?: string | undefined;
}

const meanings = new Map(options.flatMap(meaningsOf));

export interface Words {
  readonly words: readonly string[];
  /** The options that occur. */
  readonly rows: ReadonlySet<OptionRow>;
}

/** @throws FtpullError "usage", also for an unknown option */
export function canonicalWords(argv: readonly string[]): Words {
  const words: string[] = [];
  const rows = new Set<OptionRow>();
  const rest = argv.values();

  /** Adds an option. Its argument is `attached`, or is the next word of the command line. */
  const add = ({ row, argument }: Meaning, attached = argument): void => {
    rows.add(row);
    if (row.argument === undefined) return void words.push(row.name);
    words.push(attached === undefined ? row.name : `${row.name}=${attached}`);
    const next = attached === undefined ? rest.next() : undefined;
    if (next?.done === false) words.push(next.value);
  };

  const addLong = (word: string): void => {
    const [typed = "", attached] = word.split(/=(.*)/s);
    const meaning = meaningOf(typed);
    const takesOne = meaning.row.argument !== undefined && meaning.argument === undefined;
    if (attached !== undefined && !takesOne) throw usageError(`${typed} takes no argument`);
    add(meaning, attached);
  };

  const addShort = (letters: string): void => {
    const isPair = letters.startsWith("n") && letters.length > 1;
    const name = `-${letters.slice(0, isPair ? 2 : 1)}`;
    const meaning = meaningOf(name);
    const more = letters.slice(name.length - 1);
    if (meaning.row.argument !== undefined) return add(meaning, more === "" ? undefined : more);
    add(meaning);
    if (more !== "") addShort(more);
  };

  for (const word of rest) {
    if (word === "--") return { words: [...words, word, ...rest], rows };
    if (/^--./s.test(word)) addLong(word);
    else if (/^-./s.test(word)) addShort(word.slice(1));
    else words.push(word);
  }
  return { words, rows };
}

function meaningOf(typed: string): Meaning {
  const name = meanings.has(typed) ? typed : unabbreviated(typed);
  const hint = hintsByName.get(name);
  if (hint !== undefined) throw usageError(`unknown option '${name}'`, hint);
  return meanings.get(name) ?? refuseUnknown(name);
}

/** Refuses a name that no option has, with the name that commander finds similar. */
function refuseUnknown(name: string): never {
  parsed(shownOptions, [name]);
  throw usageError(`unknown option '${name}'`, "see ftpull --help");
}

function unabbreviated(typed: string): string {
  if (hintsByName.has(typed)) return typed;
  const own = shownOptions.flatMap(({ names }) => names).filter((one) => one.startsWith(typed));
  const aliases = [...meanings.keys()].filter((one) => one.startsWith(typed));
  const [name, another] = own.length > 0 ? own : aliases;
  if (name === undefined || another !== undefined || typed.length < 3) return typed;
  // Behind `--passw` may stand the password itself, which no error shows.
  return name === "--password-file" && !typed.startsWith("--password-") ? "--password" : name;
}

function meaningsOf(row: OptionRow): (readonly [name: string, meaning: Meaning])[] {
  return [...row.names, ...row.aliases].map((alias) => {
    const [name = "", argument] = alias.split("=");
    return [name, { row, argument }];
  });
}
