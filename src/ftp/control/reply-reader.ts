/** Finds replies in a server's octets, with lines of text among them and odd ends of replies. */
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName, replyLine } from "./reply.ts";

const longestLine = 64 * 1024;

const longestReply = 1024 * 1024;

const endLine = /^[1-5]\d\d(?: |$)/;

/** A line of another protocol's server, or with an impossible code, or with NUL. */
const foreignLine =
  /\0|^\d{3}(?:[ -]|$)|^(?:SSH-|HTTP\/|\+OK|\* (?:OK|BYE|PREAUTH)\b|RFB |@RSYNCD)/;

/** FEAT's first line, if it lacks the dash that announces further lines. */
const featuresLine = /^211 /;

/** Yields replies, and lines of text between them. @throws FtpullError "protocol" for anything else */
export class ReplyReader {
  #unfinished = "";
  #lines: string[] = [];
  #octets = 0;
  #endsByAnyCode = false;
  strayText: string | undefined;

  get hasMore(): boolean {
    return this.strayText !== undefined || this.#unfinished !== "" || this.#lines.length > 0;
  }

  get isInReply(): boolean {
    return this.#unfinished === "" && this.#lines.length > 0;
  }

  *read(chunk: string): Generator<string> {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinished + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinished = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield* this.#add(line);
    if (this.#unfinished.length > longestLine || this.#octets > longestReply)
      throw new FtpullError("protocol", "the server sent an endless reply");
  }

  /** Ends a reply after a silence, as wget does, at a line with a code and a blank, if there is one. */
  *endLoosely(): Generator<string> {
    if (!this.#lines.some((line) => endLine.test(line))) return;
    if (featuresLine.test(this.#lines[0] ?? "")) return yield this.#taken();
    this.#endsByAnyCode = true;
    for (const line of this.#takeLines()) yield* this.#add(line);
  }

  *#add(line: string): Generator<string> {
    const [, code, mark] = replyLine.exec(line) ?? [];
    if (this.#endsFeatures(code, mark)) yield this.#taken();
    this.#octets += line.length + 1;
    const begun = this.#lines[0];
    if (begun === undefined && code === undefined) {
      if (foreignLine.test(line)) throw notFtp(line);
      this.strayText ??= line;
      return yield line;
    }
    this.#lines.push(line);
    if (code === undefined || mark === "-") return;
    if (begun === undefined ? !featuresLine.test(line) : this.#isEnd(begun, code))
      yield this.#taken();
  }

  /** True if a line begins another reply behind one to FEAT that has, or seems to have, one line. */
  #endsFeatures(code: string | undefined, mark: string | undefined): boolean {
    if (code === undefined || !featuresLine.test(this.#lines[0] ?? "")) return false;
    return code !== "211" || (mark !== "-" && this.#lines.length === 1);
  }

  /** The code of a reply ends it; a preliminary one among others (glftpd) can't do harm. */
  #isEnd(begun: string, code: string): boolean {
    return begun.startsWith(code) || code.startsWith("1") || this.#endsByAnyCode;
  }

  #takeLines(): string[] {
    this.#octets = 0;
    return this.#lines.splice(0);
  }

  #taken(): string {
    this.strayText = undefined;
    return this.#takeLines().join("\n");
  }
}

export function notFtp(text: string): FtpullError {
  const quoted = quoteName(shorten(text.trim(), 80));
  return new FtpullError("protocol", `the server does not speak FTP: it sent ${quoted}`);
}
