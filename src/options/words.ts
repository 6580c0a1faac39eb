/**
 * Reads how options are written: long ones with "=" or without, abbreviated, short ones, several in
 * a word, and those of other programs. What they mean is decided in command-line.ts. Commander can't
 * read them: it takes wget's `-nc` for `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { type ForeignOption, foreignOptions } from "./foreign.ts";
import {
  byName,
  firstOption,
  isAbbreviation,
  isOption,
  isTypoOf,
  longNames,
  optionsIn,
  type Written,
} from "./option-names.ts";
import type { OptionRecord } from "./table.ts";
import { alternatives } from "./values.ts";

/** The words of a command line. */
export class Words {
  /** Long names, each with its argument in the same word: `--tries=5`. */
  readonly options: string[] = [];
  readonly urls: string[] = [];
  /** The errors in the command. */
  readonly problems: string[] = [];
  readonly #argv: readonly string[];
  /** The words to come, the next one at the end. */
  readonly #rest: string[];
  /** Options that count only if the command has none of the same name, by their `--name=`. */
  readonly #implied = new Map<string, string>();
  /** The command as it should be written. */
  readonly #command = ["ftpull"];
  /** The hint in place of a proposed command, if none can be proposed. */
  #hint: string | undefined;

  constructor(argv: readonly string[]) {
    this.#argv = argv;
    this.#rest = argv.toReversed();
    for (let word; (word = this.#rest.pop()) !== undefined;) {
      if (word !== "--") this.#read(word);
      else for (const url of this.#rest.splice(0).reverse()) this.#readUrl(url);
    }
    for (const [start, option] of this.#implied)
      if (!this.options.some((other) => other.startsWith(start))) this.#read(option);
  }

  /** Something wrong that no other command is known for. */
  refuse(message: string, hint = "see ftpull --help"): undefined {
    this.problems.push(message);
    this.#hint ??= hint;
  }

  /** @throws FtpullError "usage" that names all problems, if there are any */
  check(): void {
    if (this.problems.length === 0) return;
    const command = this.#command.join(" ");
    const asks = this.options.includes("--ask-password") || namedUser.test(command);
    const shown = asks ? command : command.replace(" --ask-password", "");
    // With -h or -V in it, the command would not fetch anything: `-lh` was meant for another program.
    const fetches = !this.options.some((long) => long === "--help" || long === "--version");
    const hint = this.#hint ?? (fetches ? `write: ${shown}` : "see ftpull --help");
    throw new FtpullError("usage", this.problems.join("; "), { hint });
  }

  #read(word: string): void {
    if (!/^-./s.test(word)) this.#readUrl(word);
    else for (const written of optionsIn(word, this.#rest.at(-1))) this.#readOption(written);
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    // A word that is no URL may be a password, which follows an option that takes none.
    const shown = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    this.#command.push(quoteForShell(shown));
  }

  #readOption(written: Written): void {
    const [company, other = ""] = inCompany[written.name] ?? [];
    const isOther = company?.test(this.#argv.join(" "));
    const meant = isOther ? foreignOptions.get(other) : written.option;
    const option = meant ?? this.#abbreviated(written.name);
    if (option === undefined) return;
    if ("advice" in option) this.#advise(option, written);
    else this.#understand(option, written);
  }

  #understand(option: OptionRecord | ForeignOption, { name, argument }: Written): void {
    const [long, term] = "long" in option ? [option.long, option.flags] : [name, name];
    const isFlag = option.argument === undefined;
    if (isFlag && argument !== undefined) return this.refuse(`${long} takes no argument`);
    const text = isFlag ? undefined : (argument ?? this.#argumentOf(term));
    if (!isFlag && text === undefined) return;
    if (!("long" in option)) return this.#replace(filled(option.words, text));
    const spelled = byName.has(name) ? name : long;
    this.options.push(text === undefined ? long : `${long}=${text}`);
    this.#command.push(text === undefined ? spelled : `${spelled} ${shown(option.value, text)}`);
  }

  /** The next word, unless it is an option: then an argument is missing. */
  #argumentOf(term: string): string | undefined {
    const next = this.#rest.at(-1);
    if (next !== undefined && !isOption(next)) return this.#rest.pop();
    const message = `no argument for "${term}"`;
    if (next === undefined) return this.refuse(message);
    return this.refuse(`${message}: "${firstOption(next)}" is an option`, dashHint);
  }

  /** Reads what another program's option stands for. */
  #replace(word: string): void {
    if (!word.startsWith("?")) return word === "" ? undefined : this.#read(word);
    const option = word.slice(1);
    this.#implied.set(option.replace(/=.*/s, "="), option);
  }

  /** Says what to write in place of another program's option. */
  #advise(option: ForeignOption, { name, argument: given }: Written): void {
    const { argument, words, advice } = option;
    // As in `-H URL`, where the argument is forgotten; a password may begin as an option.
    const next = this.#rest.at(-1) ?? "";
    const isOther = /^ftpe?s?:\/\//i.test(next) || (isOption(next) && words !== "--ask-password");
    const text = given ?? (argument && !isOther ? this.#rest.pop() : undefined);
    const message = `${byName.has(name) ? `${name} of another program` : `unknown option "${name}"`}: ${advice}`;
    if (words === undefined || (text === undefined && words.includes("{"))) this.refuse(message);
    else {
      this.problems.push(message);
      const kind = byName.get(words.replace(/ .*/s, ""))?.value;
      // lftp's -u has the password behind a comma.
      const own = kind === "user" ? text?.replace(/,.*/s, "") : text;
      this.#write(filled(words, own === undefined ? own : shown(kind, own)));
    }
    if (!argument && given?.includes("://")) this.#readUrl(given);
  }

  /** As in `timeout 60 ftpull`, words may come to stand before the command. */
  #write(words: string): void {
    if (words.endsWith("ftpull")) this.#command[0] = words.replace("ftpull", this.#command[0]!);
    else if (words !== "") this.#command.push(words);
  }

  /** The option whose name begins so, or the one that was meant, with an error. */
  #abbreviated(name: string): OptionRecord | undefined {
    const matching = name.length > 2 ? longNames.filter((long) => isAbbreviation(name, long)) : [];
    if (matching.length === 1) return byName.get(matching[0]!);
    // Text behind ":" may be a password.
    const typed = name.replace(/(?<=^--.*):.*/s, "");
    if (matching.length > 1) return this.refuse(`"${typed}" may be ${alternatives(matching)}`);
    const meant = longNames.find((long) => isTypoOf(long, typed));
    if (meant === undefined) return this.refuse(`unknown option "${typed}"`);
    this.problems.push(`unknown option "${typed}": did you mean ${meant}?`);
    return byName.get(meant);
  }
}

/** In an option or a URL, or perhaps in a list of URLs. An anonymous login asks for no password. */
const namedUser = /--user (?!anonymous(?: |$))|:\/\/(?!anonymous@)[^ /]*@|-i |--input-file /i;

const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** The meaning of an option beside words that match: wget's -o names a log, and curl's -sS shows errors. */
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
function filled(words = "", argument = ""): string {
  const value = argument.replace(/^ftp_proxy=/, "");
  return words.replace(/\{.*?\}(\+1)?/, (_, more?: string) =>
    more && /^\d+$/.test(value) ? `${Number(value) + 1}` : value,
  );
}
