/**
 * Reads how options are written: long ones with "=" or without, abbreviated, short ones, several in
 * a word, and those of other programs. What they mean is decided in command-line.ts. Commander can't
 * read them: it takes wget's `-nc` for `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell, redactUrlText } from "../url/format.ts";
import { type ForeignOption, foreignOptions } from "./foreign.ts";
import { namesOf, type OptionRecord, options, optionTerm } from "./table.ts";
import { alternatives } from "./values.ts";

/** Something that is wrong in a command. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

/** An option as it is written. */
interface Written {
  readonly name: string;
  /** What stands in the same word. */
  readonly argument?: string;
  /** curl's -s, a flag as in -fsSL: here a number follows. */
  readonly isFlag?: true;
}

/** The words of a command line. */
export class Words {
  /** Long names, each with its argument in the same word: `--tries=5`. */
  readonly options: string[] = [];
  readonly urls: string[] = [];
  readonly problems: Problem[] = [];
  readonly #words: Iterator<string> & Iterable<string>;
  readonly #implied = new Map<string, string>();
  /** The command as it should be written; undefined once that is unknown. */
  #command: string[] | undefined = [];
  #program = "ftpull";

  constructor(argv: readonly string[]) {
    this.#words = argv.values();
    for (const word of this.#words) {
      if (word === "--") for (const url of this.#words) this.#readUrl(url);
      else if (!/^-./s.test(word)) this.#readUrl(word);
      else for (const written of optionsIn(word)) this.#readOption(written);
    }
    for (const [long, option] of this.#implied)
      if (!this.options.some((other) => other.startsWith(`${long}=`))) this.options.push(option);
  }

  /** Something wrong that no other command is known for. */
  refuse(message: string, hint = "see ftpull --help"): void {
    this.problems.push({ message, hint });
    this.#command = undefined;
  }

  /** @throws FtpullError "usage" that names all problems, if there are any */
  check(): void {
    if (this.problems.length === 0) return;
    const message = this.problems.map((problem) => problem.message).join("; ");
    const hint = this.#command
      ? `write: ${[this.#program, ...this.#command].join(" ")}`
      : this.problems.find((problem) => problem.hint)?.hint;
    throw new FtpullError("usage", message, { hint });
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    // A word that is no URL may be a password, which follows an option that takes none.
    const shown = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    this.#command?.push(quoteForShell(shown));
  }

  #readOption(written: Written): void {
    const { name, isFlag } = written;
    const record = isFlag ? undefined : byName.get(name);
    const foreign = record === undefined ? foreignOptions().get(name) : undefined;
    if (foreign !== undefined) return this.#readForeign(foreign, written);
    const meant = record ?? this.#abbreviated(name);
    if (meant !== undefined) this.#readOwn(meant, written);
  }

  #readOwn(record: OptionRecord, { name, argument }: Written): void {
    const { long } = record;
    const spelled = byName.has(name) ? name : long;
    if (record.argument === undefined) {
      if (argument !== undefined) return this.refuse(`${long} takes no argument`);
      this.options.push(long);
      this.#command?.push(spelled);
      return;
    }
    const text = argument ?? this.#next();
    if (text === undefined) return this.refuse(`no argument for "${optionTerm(record)}"`);
    if (record === options.outputDocument && /^[a-z]+:\/\//i.test(text))
      return this.#refuseUrlAsFile(text);
    this.options.push(`${long}=${text}`);
    this.#command?.push(spelled, shown(record.value, text));
  }

  /** As in `curl -O URL`. */
  #refuseUrlAsFile(url: string): void {
    const message = `-O took "${redactUrlText(url)}" for its file`;
    this.problems.push({ message: `${message}: a file is saved under its own name` });
    this.#readUrl(url);
  }

  #readForeign(named: ForeignOption, { name, argument }: Written): void {
    const text = argument ?? (named.takesArgument ? this.#next() : undefined);
    const { takesArgument, words, advice } = foreignOptions().get(`${name}=${text}`) ?? named;
    if (advice !== undefined) {
      const message = `unknown option "${name}": ${advice}`;
      if (words === undefined) return this.refuse(message);
      this.problems.push({ message });
      this.#write(words, text);
    } else if (!takesArgument && argument !== undefined) this.refuse(`${name} takes no argument`);
    else if (takesArgument && text === undefined) this.refuse(`no argument for "${name}"`);
    else if (words !== undefined) this.#understand(filled(words, text));
  }

  #understand(option: string): void {
    if (option === "") return;
    if (!/^[-?]/.test(option)) return this.#readUrl(option);
    const [, isImplied = "", long = ""] = /^(\??)([^=]*)/.exec(option) ?? [];
    const meant = option.slice(isImplied.length);
    if (isImplied) this.#implied.set(long, meant);
    else this.options.push(meant);
    this.#command?.push(quoteForShell(meant));
  }

  #write(words: string, argument: string | undefined): void {
    const kind = words.startsWith("--user") ? "user" : "text";
    const written = filled(words, argument === undefined ? undefined : shown(kind, argument));
    if (written.endsWith("ftpull")) this.#program = written.replace("ftpull", this.#program);
    else if (written !== "") this.#command?.push(written);
  }

  /** The option whose name begins so, or the one that was meant, with an error. */
  #abbreviated(name: string): OptionRecord | undefined {
    const matching = name.length > 2 ? longNames.filter((long) => isAbbreviation(name, long)) : [];
    if (matching.length === 1) return byName.get(matching[0]!);
    // Text behind ":" may be a password.
    const typed = name.replace(/(?<=^--.*):.*/s, "");
    const meant = matching.length > 1 ? undefined : longNames.find((long) => isTypoOf(long, typed));
    if (matching.length > 1) this.refuse(`"${typed}" may be ${alternatives(matching)}`);
    else if (meant === undefined) this.refuse(`unknown option "${typed}"`);
    else this.problems.push({ message: `unknown option "${typed}": did you mean ${meant}?` });
    return meant === undefined ? undefined : byName.get(meant);
  }

  #next(): string | undefined {
    return this.#words.next().value as string | undefined;
  }
}

const records = Object.values<OptionRecord>(options);
const longNames = records.map(({ long }) => long);
const byName = new Map(
  records.flatMap((record) => namesOf(record).map((name) => [name, record] as const)),
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
    const option = byName.get(name) ?? foreignOptions().get(name);
    const takesRest =
      option && ("takesArgument" in option ? option.takesArgument : option.argument);
    if (name === "-s" && /^[a-z#]/i.test(rest)) yield { name, isFlag: true };
    else if (rest !== "" && takesRest) return yield { name, argument: rest };
    else yield { name };
    // What follows an unknown letter may be its argument, or a password.
    if (option === undefined) return;
  }
}

/** Two letters are one option, as in wget's `-nc`, where the first alone is none, or at the end. */
function firstName(letters: string): string {
  const [one = "", two = ""] = letters;
  const double = `-${one}${two}`;
  const isOne = letters === one + two || !byName.has(`-${one}`) || double === "-sS";
  return isOne && (byName.has(double) || foreignOptions().has(double)) ? double : `-${one}`;
}

/** An argument as the command shows it: a password may stand behind a user, or in place of an account. */
function shown(kind: OptionRecord["value"], argument: string): string {
  if (kind === "line") return "'***'";
  return quoteForShell(kind === "user" ? argument.replace(/:.*/s, "") : redactUrlText(argument));
}

/** Puts the argument in the place of the braces, or their text where there is none. */
function filled(words: string, argument: string | undefined): string {
  return words.replace(/\{(.*?)\}(\+1)?/, (_, name: string, more?: string) => {
    if (argument === undefined) return name;
    return more && /^\d+$/.test(argument) ? `${Number(argument) + 1}` : argument;
  });
}

/** `--passw` is none of `--password-file`, since `--password` would not be. */
function isAbbreviation(name: string, long: string): boolean {
  if (!long.startsWith(name)) return false;
  const foreign = [...foreignOptions().keys()];
  return !foreign.some((other) => other.startsWith(name) && long.startsWith(other));
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
