/**
 * Reads the ways in which options are written: long ones with "=" or without, abbreviated, short
 * ones, several in a word, and those of other programs. Commander can't: it takes wget's `-nc` for
 * `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { type AnswerPart, filled, type ForeignOption, partsOf, placeholderIn } from "./foreign.ts";
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

export class Words {
  /** Options in the form `--long` or `--long=argument`. */
  options: string[] = [];
  readonly urls: string[] = [];
  readonly problems: string[] = [];
  /** Long names of options that only an error proposes. */
  readonly proposed = new Set<string>();
  readonly typed: string;
  readonly proposal = new Proposal();
  /** Words that aren't read yet, the next one last. */
  readonly #rest: string[];
  /** Number of options at the beginning of `options` that give way to those that the user wrote. */
  #yieldingOptions = 0;

  constructor(argv: readonly string[]) {
    this.typed = argv.join(" ");
    this.#rest = argv.toReversed();
    while (this.#rest.length > 0) this.#readWord(this.#rest.pop()!);
  }

  get given(): CommandPart[] {
    return this.proposal.parts.filter(({ long }) => long !== undefined);
  }

  /** Adds a problem without a command as its answer. Of several hints, the first counts. */
  refuse(message: string, hint?: string): undefined {
    this.problems.push(message);
    this.proposal.giveUp(hint);
  }

  replaceWord(word: string, instead: string, message: string): void {
    this.problems.push(message);
    this.proposal.replaceWord(word, instead);
  }

  drop(long: string): void {
    this.options = this.options.filter((word) => word !== long);
    this.proposal.drop(long);
  }

  #readWord(word: string): void {
    if (word === "--") {
      for (const url of this.#rest.splice(0).reverse()) this.#readUrl(url);
    } else if (/^-./s.test(word)) {
      const next = this.#rest.at(-1);
      for (const written of optionsIn(word, next, this.typed)) this.#readOption(written);
    } else this.#readUrl(word);
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    this.proposal.addUrl(text);
  }

  #readOption(written: Written): void {
    const { name, argument: given } = written;
    const option = written.option ?? this.#corrected(name);
    if (option === undefined) return;
    if ("advice" in option) return this.#advise(option, written);
    const [shownName, term] = "long" in option ? [option.long, option.flags] : [name, name];
    const takesArgument = option.argument !== undefined;
    if (!takesArgument && given !== undefined) return this.refuse(`${shownName} takes no argument`);
    const argument = takesArgument ? (given ?? this.#nextArgument(term)) : undefined;
    if (takesArgument && argument === undefined) return;
    if ("long" in option) this.#add(option, byName.has(name) ? name : option.long, argument);
    else this.#understand(option, name, argument);
  }

  #understand({ words = "" }: ForeignOption, name: string, argument?: string): void {
    if (words === "") this.#passOver(name, argument);
    const understood = isLetter(name) ? undefined : name;
    for (const part of partsOf(words)) this.#replace(part, argument, understood);
  }

  /** Keeps an option without effect, such as wget's -np, in a proposed command. */
  #passOver(name: string, argument = ""): void {
    const text = argument === "" ? name : `${name} ${quoteForShell(argument)}`;
    if (!isLetter(name)) this.proposal.parts.push({ long: name, text });
  }

  #nextArgument(term: string): string | undefined {
    const next = this.#rest.at(-1);
    if (next !== undefined && !isOption(next)) return this.#rest.pop();
    return this.refuse(`no argument for "${term}"`, next === undefined ? undefined : dashHint);
  }

  /** Adds an option by its long name; `typed` is shown in its place, where another program's name was understood. */
  #add(
    option: OptionRecord,
    name: string,
    argument?: string,
    { yields = false, typed = { name, argument } } = {},
  ): void {
    const { long } = option;
    const isFlag = argument === undefined;
    if (isFlag) this.drop(long);
    const word = isFlag ? long : `${long}=${argument}`;
    const shown = typed.argument && this.#shownArgument(option, typed.argument);
    const text = [typed.name, shown ?? []].flat().join(" ");
    // Options that yield come first: of two values, the later counts.
    const at = yields ? this.#yieldingOptions++ : Infinity;
    this.options.splice(at, 0, word);
    this.proposal.parts.splice(at, 0, { long, text });
  }

  #advise({ argument, words, advice }: ForeignOption, { name, argument: given }: Written): void {
    const subject = byName.has(name) ? `${name} of another program` : `unknown option "${name}"`;
    this.problems.push(`${subject}: ${advice}`);
    const text = given ?? (argument === undefined ? undefined : this.#nextUnlessUrl());
    const isOtherOption = given === undefined && isOption(text ?? "");
    const hasArgument = text !== undefined && !isOtherOption;
    const lacksArgument = words !== undefined && placeholderIn(words) !== undefined && !hasArgument;
    if (words === undefined || lacksArgument) this.proposal.giveUp();
    else this.#propose(words, text);
    if (argument === undefined && given?.includes("://")) this.#readUrl(given);
  }

  /** Takes the next word, be it an option. In `-H URL` the argument is missing: URLs aren't arguments. */
  #nextUnlessUrl(): string | undefined {
    const isUrl = /^ftpe?s?:\/\//i.test(this.#rest.at(-1) ?? "");
    return isUrl ? undefined : this.#rest.pop();
  }

  #propose(words: string, argument: string | undefined): void {
    const isName = placeholderIn(words) === "NAME";
    // A password may stand behind a colon, as in curl's --cert, or (lftp's -u) a comma.
    const mayHavePassword = isName || words.includes("--certificate");
    const shown = mayHavePassword ? argument?.replace(/[:,].*/s, "") : argument;
    if (isName && shown !== argument && shown !== "anonymous") this.proposal.hidePassword();
    for (const part of partsOf(words)) {
      const option = byName.get(part.name ?? "");
      if (option !== undefined) this.proposed.add(option.long);
      this.#replace(part, shown);
    }
  }

  /** Adds a part of an answer. A proposed command shows it, or the option as it was typed, by its name `understood`. */
  #replace(part: AnswerPart, argument?: string, understood?: string): void {
    const { name = "", template, drops, yields, url } = part;
    const option = byName.get(name);
    const given = argument ?? "";
    const text = template && filled(template, given);
    const typed = understood === undefined ? undefined : { name: understood, argument };
    if (url !== undefined) this.#readUrl(given);
    else if (option === undefined)
      this.proposal.surround(part, quoteForShell(redactUrlText(given)));
    else if (drops === undefined)
      this.#add(option, name, text, { yields: yields !== undefined, typed });
    else {
      this.drop(name);
      if (understood !== undefined) this.#passOver(understood, argument);
    }
  }

  #shownArgument({ long, value }: OptionRecord, argument: string): string {
    if (long === "--account") return "'***'";
    if (value === "user") return quoteForShell(argument.replace(/:.*/s, ""));
    const shown = redactUrlText(argument);
    if (shown !== argument && /^ftp/i.test(argument)) this.proposal.hidePassword(shown);
    return quoteForShell(shown);
  }

  #corrected(name: string): OptionRecord | undefined {
    const matching = optionsAbbreviated(name);
    if (matching.length === 1) return byName.get(matching[0]!);
    // Text behind ":" may be a password.
    const shown = name.replace(/(?<=^--.*):.*/s, "");
    if (matching.length > 1) return this.refuse(`"${shown}" may be ${alternatives(matching)}`);
    const meant = optionMeant(shown);
    if (meant === undefined) return this.refuse(`unknown option "${shown}"`);
    this.problems.push(`unknown option "${shown}": did you mean ${meant}?`);
    return byName.get(meant);
  }
}

/** True for a name such as `-n`: in another command it may have another meaning. */
function isLetter(name: string): boolean {
  return name.length === 2;
}

const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** True for a word that is an option; -1 and -* are arguments. */
function isOption(word: string): boolean {
  return /^-[-a-z#]/i.test(word);
}
