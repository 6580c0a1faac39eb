/** The hint of an error about options: the corrected command, or advice in its place. */
import { dirname, join } from "node:path";
import { quoteForShell } from "../text/escape.ts";
import { redactUrlText } from "../text/redact.ts";
import { type AnswerPart, filled } from "./foreign.ts";

/**
 * An option with its long name, a URL or advice. `text` is the part as it is shown: quoted for a shell, without
 * passwords.
 */
export interface CommandPart {
  readonly long?: string;
  readonly text: string;
}

export class Proposal {
  parts: CommandPart[] = [];
  /** The program's name, perhaps behind another's: `nohup ftpull`. */
  #program = "ftpull";
  /** Words behind the URLs: ` 2> FILE`, ` &`. */
  #ending = "";
  /** Authorities (`user@host`) whose passwords were left out; "" for all URLs. */
  readonly #hidden = new Set<string>();
  /** Words in front: `mkdir -p FOLDER && `. */
  #folderCommand = "";
  #advice: string | undefined;

  get hint(): string {
    return this.#advice ?? `write: ${this.#command}`;
  }

  giveUp(advice = "see ftpull --help"): void {
    this.#advice ??= advice;
  }

  addUrl(text: string): void {
    // A word that is no URL may be a password behind an option that takes no argument.
    const safe = text.includes("/") ? redactUrlText(text) : text.replace(/:.*/s, "");
    if (safe !== text && text.includes("://")) this.hidePassword(safe);
    // The port of an rsync: URL isn't FTP's. The error says that the scheme has changed.
    const url = safe.replace(/^rsync:\/\/([^/]*?)(?::\d+)?(?=\/|$)/i, "ftp://$1");
    this.parts.push({ text: bracesOfShell(url) ?? quoteForShell(url) });
  }

  surround({ variable, redirection, program, ending = "" }: AnswerPart, text: string): void {
    if (variable !== undefined) this.hidePassword();
    if (redirection !== undefined) this.#ending = ` ${filled(redirection, text)}${this.#ending}`;
    if (program !== undefined)
      this.#program = this.#program.replace(/ftpull$/, filled(program, text));
    this.#ending += ending;
  }

  /** Notes that the password of `url`, or of an option for all URLs, was left out: FTPULL_PASSWORD replaces it. */
  hidePassword(url = ""): void {
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

  replaceUrls(url: string, folder?: string): void {
    this.parts = this.parts.filter(({ long }) => long !== undefined);
    if (folder !== undefined) {
      this.drop("--directory-prefix");
      this.parts.push({ text: `-P ${quoteForShell(folder)}` });
    }
    this.addUrl(url);
  }

  /** Replaces -P by a longer path of -O: -P has no effect beside -O. */
  joinPlaces(folder: string, file: string): void {
    this.drop("--directory-prefix");
    const path = redactUrlText(join(folder, file));
    this.makeFolderOf(path);
    const output = { long: "--output-document", text: `-O ${quoteForShell(path)}` };
    this.parts = this.parts.map((part) => (part.long === output.long ? output : part));
  }

  makeFolderOf(file: string): void {
    const folder = dirname(file);
    if (folder !== ".") this.#folderCommand = `mkdir -p ${quoteForShell(folder)} && `;
  }

  get #command(): string {
    const words = [this.#program, ...this.parts.map(({ text }) => text)];
    return this.#folderCommand + this.#variable + words.join(" ") + this.#ending;
  }

  /** The variable with the password: it serves one user, and isn't needed with another source of the password. */
  get #variable(): string {
    const hasSource = this.parts.some(({ long = "" }) =>
      /^--(?:password-file|ask-pass)/.test(long),
    );
    return this.#hidden.size === 1 && !hasSource ? "FTPULL_PASSWORD='***' " : "";
  }
}

/** A URL with curl's ranges of numbers, or braces, in bash's form, which has no quotes; else undefined. */
function bracesOfShell(url: string): string | undefined {
  const withBraces = url.replace(/\[(\d+)-(\d\d+)\]/g, "{$1..$2}");
  const plain = "[\\w:/.@-]*";
  return new RegExp(`^(?:${plain}\\{[\\w.,-]+\\})+${plain}$`).test(withBraces)
    ? withBraces
    : undefined;
}
