/**
 * Divides a server's octets into replies and lines of text between them. Anything else is a FtpullError "protocol".
 */
import { FtpullError } from "../../errors.ts";
import { shorten } from "../../text/secrets.ts";
import { quoteName, replyLine } from "./reply.ts";

const longestLineOctets = 64 * 1024;

const longestReplyOctets = 1024 * 1024;

/** A line of another protocol's server, or with an impossible code, or with NUL. */
const foreignLine =
  /\0|^\d{3}(?:[ -]|$)|^(?:SSH-|HTTP\/|\+OK|\* (?:OK|BYE|PREAUTH)\b|RFB |@RSYNCD)/;

export class ReplyReader {
  #unfinishedLine = "";
  #replyLines: string[] = [];
  #replyOctets = 0;
  firstTextSinceReply: string | undefined;

  get hasOctetsSinceReply(): boolean {
    return (
      this.firstTextSinceReply !== undefined ||
      this.#unfinishedLine !== "" ||
      this.#replyLines.length > 0
    );
  }

  *read(chunk: string): Generator<string> {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinishedLine + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield* this.#add(line);
    if (this.#unfinishedLine.length > longestLineOctets || this.#replyOctets > longestReplyOctets)
      throw new FtpullError("protocol", "the server sent an endless reply");
  }

  *#add(line: string): Generator<string> {
    const [, code, mark] = replyLine.exec(line) ?? [];
    const [firstLine] = this.#replyLines;
    this.#replyOctets += line.length + 1;
    if (firstLine === undefined && code === undefined) {
      if (foreignLine.test(line)) throw notFtp(line);
      this.firstTextSinceReply ??= line;
      yield line;
      return;
    }
    this.#replyLines.push(line);
    // The end may have another code than the beginning: other clients, too, ask for a code and no dash only.
    const isLast = code !== undefined && mark !== "-";
    if (isLast) yield this.#takeReply();
  }

  #takeReply(): string {
    this.firstTextSinceReply = undefined;
    this.#replyOctets = 0;
    return this.#replyLines.splice(0).join("\n");
  }
}

export function notFtp(text: string): FtpullError {
  const quoted = quoteName(shorten(text.trim(), 80));
  return new FtpullError("protocol", `the server does not speak FTP: it sent ${quoted}`);
}
