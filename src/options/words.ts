/**
 * Reads the ways in which options are written: long ones with "=" or without, abbreviated, short
 * ones, several in a word, and those of other programs. Commander can't: it takes wget's `-nc` for
 * `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { filled, type ForeignOption } from "./foreign.ts";
import { writesToOutput } from "./foreign-programs.ts";
import {
  byName,
  optionMeant,
  optionsAbbreviated,
  optionsIn,
  type Written,
} from "./option-names.ts";
import { type CommandPart, Proposal } from "./proposal.ts";
import type { OptionRecord } from "./table.ts";
import { alternatives } from "./values.ts";

/** The words of a command line: options by their long names, URLs, and what is wrong with them. */
export class Words {
  /** Options in the form `--long` or `--long=argument`. */
  options: string[] = [];
  readonly urls: string[] = [];
  readonly problems: string[] = [];
  /** Long names of options that only an error proposes. */
  readonly proposed = new Set<string>();
  /** All words, as they were typed, with blanks between them. */
  readonly #typed: string;
  /** Words that aren't read yet, the next one last. */
  readonly #rest: string[];
  readonly #proposal = new Proposal();
  /** Number of options at the beginning that give way to those that the user wrote. */
  #yieldingOptions = 0;
  /** Stands in place of the proposed command, if any problem has no command as its answer. */
  #hint: string | undefined;

  constructor(argv: readonly string[]) {
    this.#typed = argv.join(" ");
    this.#rest = argv.toReversed();
    while (this.#rest.length > 0) this.#readWord(this.#rest.pop()!);
  }

  /** The options as they were given, for commands that are proposed later. */
  get given(): CommandPart[] {
    return this.#proposal.parts.filter(({ long }) => long !== undefined);
  }

  /** Adds a problem without a command as its answer. The first hint counts. */
  refuse(message: string, hint?: string): undefined {
    this.problems.push(message);
    this.proposeNothing(hint);
  }

  /** Adds a problem: the proposed command has `instead` in place of the word. */
  replaceWord(word: string, instead: string, message: string): void {
    this.problems.push(message);
    this.#proposal.replaceWord(word, instead);
  }

  /** True if the word is the last one, and a URL stands in front of it. */
  isBehindUrl(word: string): boolean {
    const [before = "", last] = this.#typed.split(" ").slice(-2);
    return last === word && before.includes("://");
  }

  proposeNothing(hint = seeHelp): void {
    this.#hint ??= hint;
  }

  /** @throws FtpullError "usage" that names all problems, if there are any */
  check(): void {
    if (this.problems.length === 0) return;
    if (writesToOutput(this.#typed)) {
      this.problems.push("curl writes to standard output: that is -O -, else a file is saved");
      this.#proposal.parts.unshift({ long: "--output-document", text: "-O -" });
    }
    if (this.urls.some((url) => /^rsync:\/\//i.test(url)))
      this.problems.push("rsync: URLs are not fetched: by ftp: a server may have other paths");
    if (this.urls.some((url) => /^(?:https?|sftp):\/\/[^/]+\/./i.test(url)))
      this.refuse("https: and sftp: URLs are not fetched");
    // A command with -h or -V would fetch nothing: `-lh` was meant for another program.
    if (this.options.includes("--help") || this.options.includes("--version"))
      this.proposeNothing();
    this.#refinePlaces();
    const hint = this.#hint ?? `write: ${this.#proposal.command}`;
    throw new FtpullError("usage", [...new Set(this.problems)].join("; "), { hint });
  }

  /** Mends what would be the next error of the proposed command: -P beside -O, or twice. */
  #refinePlaces(): void {
    const folder = this.#lastArgument("--directory-prefix") ?? ".";
    const file = this.#lastArgument("--output-document") ?? "-";
    if (this.#typed.includes("--create-dirs")) this.#proposal.makeFolderOf(file);
    if (!this.proposed.has("--directory-prefix")) return;
    if (file !== "-") this.#proposal.joinPlaces(folder, file);
    const places = this.#proposal.parts.filter(({ long }) => long === "--directory-prefix");
    if (places.length > 1) this.proposeNothing();
  }

  #lastArgument(long: string): string | undefined {
    const start = `${long}=`;
    return this.options.findLast((word) => word.startsWith(start))?.slice(start.length);
  }

  #readWord(word: string): void {
    if (word === "--") {
      for (const url of this.#rest.splice(0).reverse()) this.#readUrl(url);
    } else if (/^-./s.test(word)) {
      const next = this.#rest.at(-1);
      for (const written of optionsIn(word, next, this.#typed)) this.#readOption(written);
    } else this.#readUrl(word);
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    this.#proposal.addUrl(text);
  }

  #readOption(written: Written): void {
    const option = written.option ?? this.#corrected(written.name);
    if (option === undefined) return;
    if ("long" in option) this.#readOwn(option, written);
    else if (option.advice === undefined) this.#readForeign(option, written);
    else this.#advise(option, written);
  }

  #readOwn(option: OptionRecord, { name, argument: given }: Written): void {
    const { long, flags, argument } = option;
    const known = byName.has(name) ? name : long;
    if (argument === undefined) {
      if (given !== undefined) this.refuse(`${long} takes no argument`);
      else this.#add(option, known);
      return;
    }
    const text = given ?? this.#nextArgument(flags);
    if (text !== undefined) this.#add(option, known, text);
  }

  #readForeign({ argument, words = "" }: ForeignOption, { name, argument: given }: Written): void {
    if (argument === undefined && given !== undefined)
      return this.refuse(`${name} takes no argument`);
    const text = argument === undefined ? undefined : (given ?? this.#nextArgument(name));
    if (argument !== undefined && text === undefined) return;
    if (words === "") this.#keepPassedOver(name, text);
    else this.#replace(words, text);
  }

  /** Keeps an option without effect, such as wget's -np, in a proposed command, unless it is a letter alone. */
  #keepPassedOver(name: string, argument = ""): void {
    const text = argument === "" ? name : `${name} ${quoteForShell(argument)}`;
    if (name.length > 2) this.#proposal.parts.push({ long: name, text });
  }

  #nextArgument(term: string): string | undefined {
    const next = this.#rest.at(-1);
    if (next !== undefined && !isOption(next)) return this.#rest.pop();
    return this.refuse(`no argument for "${term}"`, next === undefined ? undefined : dashHint);
  }

  #add(option: OptionRecord, name: string, argument?: string, yields = false): void {
    const { long } = option;
    const isFlag = argument === undefined;
    const word = isFlag ? long : `${long}=${argument}`;
    const text = isFlag ? name : `${name} ${this.#safeArgument(option, argument)}`;
    if (isFlag) this.#drop(long);
    const at = yields ? this.#yieldingOptions++ : Infinity;
    this.options.splice(at, 0, word);
    this.#proposal.parts.splice(at, 0, { long, text });
  }

  #advise({ argument, words, advice }: ForeignOption, { name, argument: given }: Written): void {
    const subject = byName.has(name) ? `${name} of another program` : `unknown option "${name}"`;
    this.problems.push(`${subject}: ${advice}`);
    // The argument of `-H URL` is missing: URLs aren't arguments.
    const isUrl = /^ftpe?s?:\/\//i.test(this.#rest.at(-1) ?? "");
    const takesNext = argument !== undefined && !isUrl;
    const text = given ?? (takesNext ? this.#rest.pop() : undefined);
    const isMissing = text === undefined || (given === undefined && isOption(text));
    if (words === undefined || (isMissing && words.includes("{"))) this.proposeNothing();
    else this.#propose(words, text);
    if (argument === undefined && given?.includes("://")) this.#readUrl(given);
  }

  #propose(words: string, argument: string | undefined): void {
    const safe = mayHavePassword.test(words) ? argument?.replace(/[:,].*/s, "") : argument;
    const isUsers = words.includes("{NAME}") && safe !== "anonymous";
    if (isUsers && safe !== argument) this.#proposal.hidePassword("");
    for (const part of words.split(/ (?=-)/)) {
      const option = byName.get(part.replace(/ .*/s, ""));
      if (option !== undefined) this.proposed.add(option.long);
      this.#replace(part, safe);
    }
  }

  /** Adds the words of an answer; foreign.ts explains the signs "!" and "?". */
  #replace(answer: string, argument = ""): void {
    const [, sign, words = ""] = /^([?!]?)(.*)/s.exec(answer) ?? [];
    const [name = "", template] = words.split(/ (.*)/s);
    const option = byName.get(name);
    if (sign === "!") this.#drop(name);
    else if (option !== undefined)
      this.#add(option, name, template && filled(template, argument), sign === "?");
    else if (words === "{URL}") this.#readUrl(argument);
    else this.#proposal.addWords(filled(words, quoteForShell(redactUrlText(argument))));
  }

  #drop(name: string): void {
    this.options = this.options.filter((long) => long !== name);
    this.#proposal.drop(name);
  }

  /** The argument without the password of a user or a URL, and without an account. */
  #safeArgument({ long, value }: OptionRecord, argument: string): string {
    if (long === "--account") return "'***'";
    if (value === "user") return quoteForShell(argument.replace(/:.*/s, ""));
    const safe = redactUrlText(argument);
    if (safe !== argument && /^ftp/i.test(argument)) this.#proposal.hidePassword(safe);
    return quoteForShell(safe);
  }

  /** The option that an abbreviated or mistyped name stands for. */
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

/** Answers whose argument may end in a password: curl's users and certificates, and lftp's -u with a comma. */
const mayHavePassword = /\{NAME\}|--certificate/;

const seeHelp = "see ftpull --help";
const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** True for a word that is an option; -1 and -* are arguments. */
function isOption(word: string): boolean {
  return /^-[-a-z#]/i.test(word);
}
