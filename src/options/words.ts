/**
 * Reads how options are written: long ones with "=" or without, abbreviated, short ones, several in
 * a word, and those of other programs. What they mean is decided in command-line.ts. Commander can't
 * read them: it takes wget's `-nc` for `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell, redactUrlText } from "../url/format.ts";
import { type ForeignOption, foreignMeaning, foreignOptions } from "./foreign.ts";
import {
  byName,
  firstOption,
  foreignAbbreviated,
  isAbbreviation,
  isOption,
  isTypoOf,
  longNames,
  optionsIn,
  type Written,
} from "./option-names.ts";
import type { OptionRecord } from "./table.ts";
import { alternatives } from "./values.ts";

/** Something that is wrong in a command. */
export interface Problem {
  readonly message: string;
  readonly hint?: string;
}

/** The words of a command line. */
export class Words {
  /** Long names, each with its argument in the same word: `--tries=5`. */
  readonly options: string[] = [];
  readonly urls: string[] = [];
  readonly problems: Problem[] = [];
  readonly #argv: readonly string[];
  #position = 0;
  readonly #implied = new Map<string, string>();
  /** The command as it should be written; undefined once that is unknown. */
  #command: string[] | undefined = [];
  #program = "ftpull";
  /** What -u and --password of other programs say. */
  #foreignLogin: readonly (string | undefined)[] = [];

  constructor(argv: readonly string[]) {
    this.#argv = argv;
    for (let word; (word = this.#next()) !== undefined;) {
      if (word === "--") while (this.#comes !== undefined) this.#readUrl(this.#next()!);
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
      ? `write: ${[this.#program, ...this.#withAddress(this.#command)].join(" ")}`
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
    const { argument, letters = argument } = written;
    const [company, other] = inCompany[written.name] ?? [];
    const isOther = company !== undefined && company.test(this.#argv.join(" "));
    const name = isOther && other !== undefined ? other : written.name;
    const next = this.#comes === undefined ? "" : ` ${this.#comes}`;
    const record = byName.get(name);
    const foreign =
      foreignMeaning(name, letters === undefined ? next : `=${letters}`) ??
      (record ? undefined : (foreignOptions().get(name) ?? foreignAbbreviated(name)));
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
    const text = argument ?? this.#argumentOf(record.flags);
    if (text === undefined) return;
    this.options.push(`${long}=${text}`);
    this.#command?.push(`${spelled} ${shown(record.value, text)}`);
  }

  /** The next word, unless it is an option: then an argument is missing. */
  #argumentOf(term: string): string | undefined {
    const next = this.#comes;
    if (next !== undefined && !isOption(next)) return this.#next();
    const message = `no argument for "${term}"`;
    if (next === undefined) this.refuse(message);
    else this.refuse(`${message}: "${firstOption(next)}" is an option`, dashHint);
    return undefined;
  }

  #readForeign(meaning: ForeignOption, { name, argument }: Written): void {
    const { takesArgument, words, advice } = meaning;
    if (advice !== undefined) return this.#advise(meaning, name, argument);
    if (!takesArgument && argument !== undefined) return this.refuse(`${name} takes no argument`);
    const text = argument ?? (takesArgument ? this.#argumentOf(name) : undefined);
    if (words !== undefined && (text !== undefined || !takesArgument))
      this.#understand(filled(words, text));
  }

  #advise({ takesArgument, words, advice }: ForeignOption, name: string, given?: string): void {
    // As in `-H URL`, where the argument is forgotten; a password may begin as an option.
    const next = this.#comes ?? "";
    const isOther = /^ftpe?s?:\/\//i.test(next) || (isOption(next) && words !== "--ask-password");
    const text = given ?? (takesArgument && !isOther ? this.#next() : undefined);
    const message = `${byName.has(name) ? `${name} as in curl` : `unknown option "${name}"`}: ${advice}`;
    if (words === undefined || (text === undefined && words.includes("{"))) this.refuse(message);
    else {
      this.problems.push({ message });
      this.#write(words, text);
    }
    if (!takesArgument && given?.includes("://")) this.#readUrl(given);
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
    if (kind === "user") this.#foreignLogin = argument?.split(/:(.*)/s) ?? [];
    if (words === "--ask-password") this.#foreignLogin = [this.#foreignLogin[0], argument];
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

  /** With an e-mail address as the password of an anonymous login: it is no secret. */
  #withAddress(command: readonly string[]): readonly string[] {
    const given = this.options.find((option) => option.startsWith("--user="))?.slice(7);
    const [user = given ?? "", password = ""] = this.#foreignLogin;
    if (!/^(?:anonymous|ftp)$/.test(user) || !/^[\w.+-]+@[\w.-]*$/.test(password)) return command;
    const login = `${user}:${encodeURIComponent(password)}@`;
    return command
      .filter((words) => !/^--(?:user[ =]|ask-password$)/.test(words))
      .map((words) => words.replace(/^'?ftp\w*:\/\/(?!.*@)/i, (scheme) => scheme + login));
  }

  get #comes(): string | undefined {
    return this.#argv[this.#position];
  }

  #next(): string | undefined {
    return this.#argv[this.#position++];
  }
}

const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** What an option is beside such words: wget's -o names a log, and curl's -sS shows errors. */
const inCompany: Readonly<Record<string, readonly [RegExp, string]>> = {
  "-o": [
    /(?:^| )-(?:n[cdHpv]|t|-tries|-mirror|-recursive|[cNnq]*[mr](?![ =]?\d))/,
    "--output-file",
  ],
  "-S": [/(?:^| )-(?:[a-zA-Z#]*s|-silent)/, "--show-error"],
};

/** An argument as the command shows it: a password may stand behind a user, or in place of an account. */
function shown(kind: OptionRecord["value"], argument: string): string {
  if (kind === "line") return "'***'";
  return quoteForShell(kind === "user" ? argument.replace(/:.*/s, "") : redactUrlText(argument));
}

/** Puts the argument in the place of the braces; that of wget's -e names its variable, too. */
function filled(words: string, argument = ""): string {
  const value = argument.replace(/^ftp_proxy=/, "");
  return words.replace(/\{.*?\}(\+1)?/, (_, more?: string) =>
    more && /^\d+$/.test(value) ? `${Number(value) + 1}` : value,
  );
}
