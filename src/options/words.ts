/**
 * Reads how options are written: long ones with "=" or without, abbreviated, short ones, several in
 * a word, and those of other programs. What they mean is decided in command-line.ts. Commander can't
 * read them: it takes wget's `-nc` for `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import type { ForeignOption } from "./foreign.ts";
import {
  byName,
  optionMeant,
  optionsAbbreviated,
  optionsIn,
  type Written,
} from "./option-names.ts";
import type { OptionRecord } from "./table.ts";
import { alternatives } from "./values.ts";

/** An option with its argument, or a URL, as a shell reads it; passwords are left out. */
export interface CommandPart {
  /** The option's long name; undefined for a URL, and for words in place of another program's option. */
  readonly long?: string;
  readonly text: string;
}

/** The words of a command line. */
export class Words {
  /** Long names, each with its argument in the same word: `--tries=5`. */
  readonly options: string[] = [];
  readonly urls: string[] = [];
  /** The errors in the command. */
  readonly problems: string[] = [];
  readonly #typed: string;
  /** The words to come, the next one at the end. */
  readonly #rest: string[];
  /** Options that count only if the command has none of the same name. */
  readonly #implied: string[] = [];
  /** The command as it should be written, behind `#program`. */
  #command: CommandPart[] = [];
  #program = "ftpull";
  /** The hint in place of a proposed command, if none can be proposed. */
  #hint: string | undefined;

  constructor(argv: readonly string[]) {
    this.#typed = argv.join(" ");
    this.#rest = argv.toReversed();
    for (let word; (word = this.#rest.pop()) !== undefined;) {
      if (word === "--") for (const url of this.#rest.splice(0).reverse()) this.#readUrl(url);
      else this.#read(word);
    }
    for (const word of this.#implied.reverse())
      if (!this.options.some((other) => other.startsWith(word.replace(/=.*/s, "="))))
        this.#read(word);
  }

  /** The options as they were given, for commands that are proposed later. */
  get given(): CommandPart[] {
    return this.#command.filter(({ long }) => long !== undefined);
  }

  /** Adds an error, and proposes no command. */
  refuse(message: string, hint?: string): undefined {
    this.problems.push(message);
    this.proposeNothing(hint);
  }

  proposeNothing(hint = seeHelp): void {
    this.#hint ??= hint;
  }

  /** @throws FtpullError "usage" that names all problems, if there are any */
  check(): void {
    if (this.problems.length === 0) return;
    // A command with -h or -V would fetch nothing: `-lh` was meant for another program.
    const fetches = !this.options.some((long) => long === "--help" || long === "--version");
    const command = [this.#program, ...this.#command.map(({ text }) => text)].join(" ");
    const hint = this.#hint ?? (fetches ? `write: ${command}` : seeHelp);
    throw new FtpullError("usage", this.problems.join("; "), { hint });
  }

  #read(word: string): void {
    if (!/^-./s.test(word)) return this.#readUrl(word);
    for (const written of optionsIn(word, this.#rest.at(-1), this.#typed))
      this.#readOption(written);
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    // A word that is no URL may be a password, which follows an option that takes none.
    const shown = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    this.#command.push({ text: quoteForShell(shown) });
  }

  #readOption(written: Written): void {
    const option = written.option ?? this.#corrected(written.name);
    if (option === undefined) return;
    if (!("long" in option) && option.advice !== undefined) this.#advise(option, written);
    else this.#understand(option, written);
  }

  #understand(option: OptionRecord | ForeignOption, { name, argument }: Written): void {
    const [long, term] = "long" in option ? [option.long, option.flags] : [name, name];
    const isFlag = option.argument === undefined;
    if (isFlag && argument !== undefined) return this.refuse(`${long} takes no argument`);
    const text = isFlag ? undefined : (argument ?? this.#argumentOf(term));
    if (!isFlag && text === undefined) return;
    if (!("long" in option)) return this.#replace(option.words ?? "", text);
    const spelled = byName.has(name) ? name : long;
    this.options.push(text === undefined ? long : `${long}=${text}`);
    const argumentShown = text === undefined ? "" : ` ${shown(option.value, text)}`;
    this.#command.push({ long, text: spelled + argumentShown });
  }

  /** The next word, unless it is an option: then an argument is missing. */
  #argumentOf(term: string): string | undefined {
    const next = this.#rest.at(-1);
    if (next !== undefined && !isOption(next)) return this.#rest.pop();
    return this.refuse(`no argument for "${term}"`, next === undefined ? undefined : dashHint);
  }

  /** Reads an option of this program in place of another program's. */
  #replace(answer: string, argument: string | undefined): void {
    const [, sign, rest = ""] = /^([?!]?)(.*)/s.exec(answer) ?? [];
    const word = filled(rest, argument);
    if (sign === "?") this.#implied.push(word);
    else if (sign === "!") this.#takeBack(word);
    else if (word !== "") this.#read(word);
  }

  #takeBack(word: string): void {
    const { options } = this;
    options.splice(0, options.length, ...options.filter((other) => other !== word));
    this.#command = this.#command.filter(({ text }) => text !== word);
  }

  /** Adds the answer to another program's option to the errors and to the proposed command. */
  #advise({ argument, words, advice }: ForeignOption, { name, argument: given }: Written): void {
    const called = byName.has(name) ? `${name} of another program` : `unknown option "${name}"`;
    this.problems.push(`${called}: ${advice}`);
    // A URL is not the argument of `-H URL`, which was forgotten.
    const isUrl = /^ftpe?s?:\/\//i.test(this.#rest.at(-1) ?? "");
    const text = given ?? (argument && !isUrl ? this.#rest.pop() : undefined);
    const isMissing = text === undefined || (text !== given && isOption(text));
    if (words === undefined || (isMissing && words.includes("{"))) this.proposeNothing();
    else this.#write(words, text);
    if (!argument && given?.includes("://")) this.#readUrl(given);
  }

  /** Adds words to the proposed command: `timeout 60 ftpull` in place of its name, others behind it. */
  #write(words: string, argument = ""): void {
    const kind = byName.get(words.replace(/ .*/s, ""))?.value;
    // The password stands behind a comma in lftp's -u.
    const own = kind === "user" ? argument.replace(/,.*/s, "") : argument;
    const text = filled(words, shown(kind, own));
    if (text.endsWith(" ftpull")) this.#program = text;
    else if (text !== "") this.#command.push({ text });
  }

  /** The option that `name` abbreviates, or with an error the one of which it is a typing error. */
  #corrected(name: string): OptionRecord | undefined {
    const matching = optionsAbbreviated(name);
    if (matching.length === 1) return byName.get(matching[0]!);
    // Text behind ":" may be a password.
    const typed = name.replace(/(?<=^--.*):.*/s, "");
    if (matching.length > 1) return this.refuse(`"${typed}" may be ${alternatives(matching)}`);
    const meant = optionMeant(typed);
    if (meant === undefined) return this.refuse(`unknown option "${typed}"`);
    this.problems.push(`unknown option "${typed}": did you mean ${meant}?`);
    return byName.get(meant);
  }
}

const seeHelp = "see ftpull --help";
const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** True for a word that is written as an option: -1 and -* are arguments. */
function isOption(word: string): boolean {
  return /^-[-a-z#]/i.test(word);
}

/** An argument as the command shows it: a password may stand behind a user, or in place of an account. */
function shown(kind: OptionRecord["value"], argument: string): string {
  if (kind === "line") return "'***'";
  return quoteForShell(kind === "user" ? argument.replace(/:.*/s, "") : redactUrlText(argument));
}

/** `words` with the argument in place of the braces; wget's -e has a variable's name before it. */
function filled(words: string, argument = ""): string {
  const value = argument.replace(/^ftp_proxy=/, "");
  return words.replace(/\{.*?\}(\+1)?/, (_, more?: string) =>
    more && /^\d+$/.test(value) ? `${Number(value) + 1}` : value,
  );
}
