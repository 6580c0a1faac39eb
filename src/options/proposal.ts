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
  /** Users and servers whose passwords were left out: the variable is for one. */
  readonly #hidden = new Set<string>();
  /** The command that makes a folder, with " && ". */
  #folder = "";

  addUrl(text: string): void {
    // A word that is no URL may be a password behind an option that takes no argument.
    const safe = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    if (safe !== text && text.includes("://")) this.hidePassword(safe);
    // rsync's port is another one; the error says that the URL's scheme has changed.
    const url = safe.replace(/^rsync:\/\/([^/]*?)(?::\d+)?(?=\/|$)/i, "ftp://$1");
    const shown = quoteForShell(url);
    // curl's ranges of numbers and its braces are bash's, without quotes.
    const ranges = shown.replace(/\[(\d+)-(\d\d+)\]/, "{$1..$2}");
    const bare = /^'([\w:/.@-]+\{[\w.,-]+\}[\w.-]*)'$/.exec(ranges)?.[1];
    this.parts.push({ text: bare ?? shown });
  }

  /** Adds words that are no option of this program: around the command, or in it. */
  addWords(words: string): void {
    if (/^\d?>/.test(words)) this.#ending = ` ${words}${this.#ending}`;
    else if (words.startsWith("FTPULL_PASSWORD")) this.hidePassword("");
    else if (words.includes("ftpull")) this.#surround(words);
    else if (words !== "") this.parts.push({ text: words });
  }

  /** Puts a variable in the place of the password in a URL, or in an option for all URLs (""). */
  hidePassword(url: string): void {
    const server = /^\w+:\/\/([^/]*)/.exec(url)?.[1] ?? "";
    if (!/^anonymous@/i.test(server)) this.#hidden.add(server);
  }

  drop(long: string): void {
    this.parts = this.parts.filter((part) => part.long !== long);
  }

  replaceWord(word: string, instead: string): void {
    const at = this.parts.findIndex(({ text }) => text === quoteForShell(word));
    this.parts.splice(at, 1);
    if (instead !== "") this.parts.unshift({ text: instead });
  }

  /** A directory beside the file of -O, which doesn't count for -O, becomes a part of its path. */
  joinPlaces(folder: string, file: string): void {
    this.drop("--directory-prefix");
    const path = redactUrlText(join(folder, file));
    this.makeFolderOf(path);
    const output = { long: "--output-document", text: `-O ${quoteForShell(path)}` };
    this.parts = this.parts.map((part) => (part.long === output.long ? output : part));
  }

  makeFolderOf(file: string): void {
    const folder = dirname(file);
    if (folder !== ".") this.#folder = `mkdir -p ${quoteForShell(folder)} && `;
  }

  get command(): string {
    const words = [this.#program, ...this.parts.map(({ text }) => text)];
    return this.#folder + this.#variable + words.join(" ") + this.#ending;
  }

  get #variable(): string {
    const [server, another] = this.#hidden;
    const isGiven = this.parts.some(({ long = "" }) => /^--(?:password-file|ask-pass)/.test(long));
    const isMissing = server !== undefined && another === undefined && !isGiven;
    return isMissing ? "FTPULL_PASSWORD='***' " : "";
  }

  #surround(words: string): void {
    const [program = "", ending = ""] = words.split(" URL");
    this.#program = this.#program.replace(/ftpull$/, program);
    this.#ending += ending;
  }
}
