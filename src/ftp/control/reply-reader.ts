/**
 * Divides a server's octets into replies and lines of text between them; bears odd ends of replies. Anything else
 * is a FtpullError "protocol".
 */
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName, replyLine } from "./reply.ts";

const longestLineOctets = 64 * 1024;

const longestReplyOctets = 1024 * 1024;

const lastLineOfAnyCode = /^[1-5]\d\d(?: |$)/;

/** A line of another protocol's server, or with an impossible code, or with NUL. */
const foreignLine =
  /\0|^\d{3}(?:[ -]|$)|^(?:SSH-|HTTP\/|\+OK|\* (?:OK|BYE|PREAUTH)\b|RFB |@RSYNCD)/;

/** FEAT's first line, if it lacks the dash that announces further lines. */
const dashlessFeaturesLine = /^211 /;

export class ReplyReader {
  #unfinishedLine = "";
  #replyLines: string[] = [];
  #replyOctets = 0;
  #endsByAnyCode = false;
  firstTextSinceReply: string | undefined;

  get hasOctetsSinceReply(): boolean {
    return (
      this.firstTextSinceReply !== undefined ||
      this.#unfinishedLine !== "" ||
      this.#replyLines.length > 0
    );
  }

  get isInReply(): boolean {
    return this.#unfinishedLine === "" && this.#replyLines.length > 0;
  }

  *read(chunk: string): Generator<string> {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinishedLine + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield* this.#add(line);
    if (this.#unfinishedLine.length > longestLineOctets || this.#replyOctets > longestReplyOctets)
      throw new FtpullError("protocol", "the server sent an endless reply");
  }

  /** After a silence, ends replies at lines with any code, as wget does; without such a line, waits on. */
  *endLoosely(): Generator<string> {
    if (!this.#replyLines.some((line) => lastLineOfAnyCode.test(line))) return;
    if (this.#isInDashlessFeatures) {
      yield this.#takeReply();
      return;
    }
    this.#endsByAnyCode = true;
    for (const line of this.#takeLines()) yield* this.#add(line);
  }

  *#add(line: string): Generator<string> {
    const [, code, mark] = replyLine.exec(line) ?? [];
    if (this.#isBehindDashlessFeatures(code, mark)) yield this.#takeReply();
    this.#replyOctets += line.length + 1;
    const [firstLine] = this.#replyLines;
    if (firstLine === undefined && code === undefined) {
      if (foreignLine.test(line)) throw notFtp(line);
      this.firstTextSinceReply ??= line;
      yield line;
      return;
    }
    this.#replyLines.push(line);
    const mayBeLast = code !== undefined && mark !== "-";
    if (mayBeLast && this.#isLast(code, firstLine)) yield this.#takeReply();
  }

  get #isInDashlessFeatures(): boolean {
    return dashlessFeaturesLine.test(this.#replyLines[0] ?? "");
  }

  /** True if a line begins another reply behind one to FEAT that has, or seems to have, one line. */
  #isBehindDashlessFeatures(code: string | undefined, mark: string | undefined): boolean {
    if (code === undefined || !this.#isInDashlessFeatures) return false;
    if (code !== "211") return true;
    const isSecondLine = this.#replyLines.length === 1;
    return isSecondLine && mark !== "-";
  }

  #isLast(code: string, firstLine: string | undefined): boolean {
    if (firstLine === undefined) return !this.#isInDashlessFeatures;
    // A preliminary line inside another reply (glftpd) can't do harm as an end.
    return firstLine.startsWith(code) || code.startsWith("1") || this.#endsByAnyCode;
  }

  #takeLines(): string[] {
    this.#replyOctets = 0;
    return this.#replyLines.splice(0);
  }

  #takeReply(): string {
    this.firstTextSinceReply = undefined;
    return this.#takeLines().join("\n");
  }
}

export function notFtp(text: string): FtpullError {
  const quoted = quoteName(shorten(text.trim(), 80));
  return new FtpullError("protocol", `the server does not speak FTP: it sent ${quoted}`);
}
