/** Divides a server's octets into replies and lines of text between them; bears odd ends of replies. */
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName, replyLine } from "./reply.ts";

const longestLineOctets = 64 * 1024;

const longestReplyOctets = 1024 * 1024;

/** The last line of a reply, with any code. */
const lastLine = /^[1-5]\d\d(?: |$)/;

/** A line of another protocol's server, or with an impossible code, or with NUL. */
const foreignLine =
  /\0|^\d{3}(?:[ -]|$)|^(?:SSH-|HTTP\/|\+OK|\* (?:OK|BYE|PREAUTH)\b|RFB |@RSYNCD)/;

/** FEAT's first line, if it lacks the dash that announces further lines. */
const featuresLine = /^211 /;

/** Yields replies, and lines of text between them. @throws FtpullError "protocol" for anything else */
export class ReplyReader {
  #unfinishedLine = "";
  /** The lines of the reply that is being read, and their octets. */
  #lines: string[] = [];
  #octets = 0;
  /** True once a reply has ended by silence at a line with a code other than its own. */
  #endsByAnyCode = false;
  /** The first line of text since the last reply. */
  strayText: string | undefined;

  /** True if octets have come after the last reply. */
  get hasMore(): boolean {
    return this.strayText !== undefined || this.#unfinishedLine !== "" || this.#lines.length > 0;
  }

  get isInReply(): boolean {
    return this.#unfinishedLine === "" && this.#lines.length > 0;
  }

  *read(chunk: string): Generator<string> {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinishedLine + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield* this.#add(line);
    if (this.#unfinishedLine.length > longestLineOctets || this.#octets > longestReplyOctets)
      throw new FtpullError("protocol", "the server sent an endless reply");
  }

  /** After a silence, ends replies at lines with any code, as wget does; without such a line, waits on. */
  *endLoosely(): Generator<string> {
    if (!this.#lines.some((line) => lastLine.test(line))) return;
    if (this.#isInFeatures) {
      yield this.#takeReply();
      return;
    }
    this.#endsByAnyCode = true;
    for (const line of this.#takeLines()) yield* this.#add(line);
  }

  *#add(line: string): Generator<string> {
    const [, code, mark] = replyLine.exec(line) ?? [];
    if (this.#isBehindFeatures(code, mark)) yield this.#takeReply();
    this.#octets += line.length + 1;
    const [firstLine] = this.#lines;
    if (firstLine === undefined && code === undefined) {
      if (foreignLine.test(line)) throw notFtp(line);
      this.strayText ??= line;
      yield line;
      return;
    }
    this.#lines.push(line);
    const mayBeLast = code !== undefined && mark !== "-";
    if (mayBeLast && this.#isLast(code, firstLine)) yield this.#takeReply();
  }

  /** True while a reply to FEAT is read whose first line lacks the dash. */
  get #isInFeatures(): boolean {
    return featuresLine.test(this.#lines[0] ?? "");
  }

  /** True if a line begins another reply behind one to FEAT that has, or seems to have, one line. */
  #isBehindFeatures(code: string | undefined, mark: string | undefined): boolean {
    if (code === undefined || !this.#isInFeatures) return false;
    if (code !== "211") return true;
    const isSecondLine = this.#lines.length === 1;
    return isSecondLine && mark !== "-";
  }

  /** True if a line with a code and no dash ends the reply that began with `firstLine`, or is the reply. */
  #isLast(code: string, firstLine: string | undefined): boolean {
    if (firstLine === undefined) return !this.#isInFeatures;
    // A preliminary line inside another reply (glftpd) can't do harm as an end.
    return firstLine.startsWith(code) || code.startsWith("1") || this.#endsByAnyCode;
  }

  #takeLines(): string[] {
    this.#octets = 0;
    return this.#lines.splice(0);
  }

  #takeReply(): string {
    this.strayText = undefined;
    return this.#takeLines().join("\n");
  }
}

export function notFtp(text: string): FtpullError {
  const quoted = quoteName(shorten(text.trim(), 80));
  return new FtpullError("protocol", `the server does not speak FTP: it sent ${quoted}`);
}
