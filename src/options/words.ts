/**
 * Reads the ways in which options are written: long ones with "=" or without, abbreviated, short
 * ones, several in a word, and those of other programs. Commander can't: it takes wget's `-nc` for
 * `-n -c`, knows no abbreviations, and ends at the first error.
 */
import { FtpullError } from "../errors.ts";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import type { ForeignOption } from "./foreign.ts";
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

export class Words {
  options: string[] = [];
  readonly urls: string[] = [];
  readonly problems: string[] = [];
  /** Long names of options that only an error proposes. */
  readonly proposed = new Set<string>();
  readonly #typed: string;
  readonly #rest: string[];
  readonly #proposal = new Proposal();
  #yieldingOptions = 0;
  #hint: string | undefined;

  constructor(argv: readonly string[]) {
    this.#typed = argv.join(" ");
    this.#rest = argv.toReversed();
    for (let word; (word = this.#rest.pop()) !== undefined;) {
      if (word === "--") for (const url of this.#rest.splice(0).reverse()) this.#readUrl(url);
      else if (!/^-./s.test(word)) this.#readUrl(word);
      else
        for (const written of optionsIn(word, this.#rest.at(-1), this.#typed))
          this.#readOption(written);
    }
  }

  get given(): CommandPart[] {
    return this.#proposal.parts.filter(({ long }) => long !== undefined);
  }

  refuse(message: string, hint?: string): undefined {
    this.problems.push(message);
    this.proposeNothing(hint);
  }

  replaceWord(word: string, instead: string, message: string): void {
    this.problems.push(message);
    this.#proposal.replaceWord(word, instead);
  }

  isBehindUrl(word: string): boolean {
    const [before, last] = this.#typed.split(" ").slice(-2);
    return last === word && /:\/\//.test(before ?? "");
  }

  proposeNothing(hint = seeHelp): void {
    this.#hint ??= hint;
  }

  /** @throws FtpullError "usage" that names all problems, if there are any */
  check(): void {
    if (this.problems.length === 0) return;
    if (writesToOutput(this.#typed)) {
      this.problems.push("curl writes to standard output: that is -O -, else a file is saved");
      this.#drop("--force"); // curl's -f, with no file to replace
      this.#proposal.parts.unshift({ long: "--output-document", text: "-O -" });
    }
    if (this.urls.some((url) => /^rsync:\/\//i.test(url)))
      this.problems.push("rsync: URLs are not fetched: by ftp: a server may have other paths");
    if (this.urls.some((url) => /^(?:https?|sftp):\/\/[^/]+\/./i.test(url)))
      this.refuse("https: and sftp: URLs are not fetched");
    // A command with -h or -V would fetch nothing: `-lh` was meant for another program.
    const fetches = !this.options.some((long) => long === "--help" || long === "--version");
    this.#refine();
    const hint = this.#hint ?? (fetches ? `write: ${this.#proposal.command}` : seeHelp);
    throw new FtpullError("usage", [...new Set(this.problems)].join("; "), { hint });
  }

  /** Mends what would be the next error of the proposed command. */
  #refine(): void {
    const [folder = ".", file = "-"] = ["--directory-prefix", "--output-document"].map((name) =>
      this.options.findLast((word) => word.startsWith(`${name}=`))?.slice(name.length + 1),
    );
    if (this.#typed.includes("--create-dirs")) this.#proposal.makeFolderOf(file);
    const hasFolder = file !== "-" && this.proposed.has("--directory-prefix");
    if (hasFolder) this.#proposal.joinPlaces(folder, file);
    const places = this.#proposal.parts.filter(({ long }) => long === "--directory-prefix");
    if (this.proposed.has("--directory-prefix") && places.length > 1) this.proposeNothing();
  }

  #readUrl(text: string): void {
    this.urls.push(text);
    this.#proposal.addUrl(text);
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
    const text = isFlag ? undefined : (argument ?? this.#nextArgument(term));
    if (!isFlag && text === undefined) return;
    if ("long" in option) this.#add(option, byName.has(name) ? name : long, text);
    else if (option.words === "") this.#keepPassedOver(name, text);
    else this.#replace(option.words ?? "", text);
  }

  /** A proposed command keeps wget's -np; a letter alone may mean something else here. */
  #keepPassedOver(name: string, argument = ""): void {
    const text = argument === "" ? name : `${name} ${quoteForShell(argument)}`;
    if (name.length > 2) this.#proposal.parts.push({ long: name, text });
  }

  #nextArgument(term: string): string | undefined {
    const next = this.#rest.at(-1);
    if (next !== undefined && !isOption(next)) return this.#rest.pop();
    return this.refuse(`no argument for "${term}"`, next === undefined ? undefined : dashHint);
  }

  #add(option: OptionRecord, name: string, argument?: string, isImplied = false): void {
    const { long } = option;
    const [word, text] =
      argument === undefined
        ? [long, name]
        : [`${long}=${argument}`, `${name} ${this.#safeArgument(option, argument)}`];
    if (argument === undefined) this.#drop(long);
    const at = isImplied ? this.#yieldingOptions++ : Infinity;
    this.options.splice(at, 0, word);
    this.#proposal.parts.splice(at, 0, { long, text });
  }

  #advise({ argument, words, advice }: ForeignOption, { name, argument: given }: Written): void {
    const subject = byName.has(name) ? `${name} of another program` : `unknown option "${name}"`;
    this.problems.push(`${subject}: ${advice}`);
    // The argument of `-H URL` is missing: URLs aren't arguments.
    const isUrl = /^ftpe?s?:\/\//i.test(this.#rest.at(-1) ?? "");
    const text = given ?? (argument && !isUrl ? this.#rest.pop() : undefined);
    const isMissing = text === undefined || (text !== given && isOption(text));
    if (words === undefined || (isMissing && words.includes("{"))) this.proposeNothing();
    else {
      const safe = hidesPassword.test(words) ? text?.replace(/[:,].*/s, "") : text;
      const hasPassword = safe !== text && words.includes("{NAME}") && safe !== "anonymous";
      if (hasPassword) this.#proposal.hidePassword("");
      for (const part of words.split(/ (?=-)/)) this.#replace(part, safe, true);
    }
    if (!argument && given?.includes("://")) this.#readUrl(given);
  }

  /** Adds the words of an answer; foreign.ts explains the signs "!" and "?". */
  #replace(answer: string, argument = "", isAdvice = false): void {
    const [, sign, words = ""] = /^([?!]?)(.*)/s.exec(answer) ?? [];
    const [name = "", template] = words.split(/ (.*)/s);
    const option = byName.get(name);
    const part = filled(words, quoteForShell(redactUrlText(argument)));
    if (sign === "!") this.#drop(name);
    else if (option) {
      if (isAdvice) this.proposed.add(option.long);
      this.#add(option, name, template && filled(template, argument), sign === "?");
    } else if (words === "{URL}") this.#readUrl(argument);
    else this.#proposal.addWords(part);
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

/** A password may follow curl's user and certificate, in lftp's -u behind a comma. */
const hidesPassword = /\{NAME\}|--certificate/;

const seeHelp = "see ftpull --help";
const dashHint = 'an argument that begins with "-" follows "=", as in --directory-prefix=-x';

/** False for -1 and -*, which are arguments. */
function isOption(word: string): boolean {
  return /^-[-a-z#]/i.test(word);
}

/** Puts the argument in place of the braces, less a variable's name (wget's -e) or a verb (curl's -Q). */
function filled(words: string, argument: string): string {
  const value = argument.replace(/^ftp_proxy=|^\*?SITE /i, "");
  return words.replace(/\{.*?\}(\+1)?/, (_, more?: string) =>
    more && /^\d+$/.test(value) ? `${Number(value) + 1}` : value,
  );
}
