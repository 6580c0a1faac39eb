/** The corrected command with which an error about options ends. */
import { dirname, join } from "node:path";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";

/** A part of a command, quoted for a shell, without passwords; `long` is undefined for URLs and advice. */
export interface CommandPart {
  readonly long?: string;
  readonly text: string;
}

export class Proposal {
  parts: CommandPart[] = [];
  #program = "ftpull";
  /** Where messages go, and " &". */
  #ending = "";
  /** What comes before the program: a folder that is made, and a password's variable. */
  #folder = "";
  #variable = "";

  addUrl(text: string): void {
    // A word that is no URL may be a password behind an option that takes no argument.
    const safe = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    if (safe !== text && text.includes("@")) this.hidePassword();
    const shown = quoteForShell(safe.replace(/^rsync:(?=\/\/)/i, "ftp:"));
    // curl's range of numbers is one of bash's, without quotes.
    const bare = shown.replace(/^'([\w:/.@-]+)\[(\d+)-(\d\d+)\]([\w.-]*)'$/, "$1{$2..$3}$4");
    this.parts.push({ text: bare });
  }

  /** Adds words that are no option of this program: around the command, at its end, or in it. */
  addWords(words: string): void {
    if (/^\d?>/.test(words)) this.#ending = ` ${words}${this.#ending}`;
    else if (words.includes("ftpull")) this.#surround(words);
    else if (words !== "") this.parts.push({ text: words });
  }

  /** Puts a variable in the place of a password that was left out. */
  hidePassword(): void {
    this.#variable = "FTPULL_PASSWORD='***' ";
  }

  drop(long: string): void {
    this.parts = this.parts.filter((part) => part.long !== long);
  }

  replaceWord(word: string, instead: string): void {
    const parts = this.parts.filter(({ text }) => text !== quoteForShell(word));
    this.parts = instead === "" ? parts : [{ text: instead }, ...parts];
  }

  replaceOption(long: string, text: string): void {
    this.parts = this.parts.map((part) => (part.long === long ? { long, text } : part));
  }

  /** A directory beside the file of -O, which doesn't count for -O, becomes a part of its path. */
  joinPlaces(folder: string, file: string): void {
    this.drop("--directory-prefix");
    const path = redactUrlText(join(folder, file));
    this.replaceOption("--output-document", `-O ${quoteForShell(path)}`);
  }

  makeFolderOf(file: string): void {
    const folder = dirname(file);
    if (folder !== ".") this.#folder = `mkdir -p ${quoteForShell(folder)} && `;
  }

  get command(): string {
    const words = [this.#program, ...this.parts.map(({ text }) => text)];
    return this.#folder + this.#variable + words.join(" ") + this.#ending;
  }

  #surround(words: string): void {
    const [program = "", ending = ""] = words.split(" URL");
    this.#program = this.#program.replace(/ftpull$/, program);
    this.#ending += ending;
  }
}
