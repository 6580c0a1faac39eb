/** Divides a server's octets into replies and lines of text between them. */
import { FtpullError } from "../../errors.ts";
import { replyLine } from "./reply.ts";

const longestLineOctets = 64 * 1024;

const longestReplyOctets = 1024 * 1024;

export class ReplyReader {
  #unfinishedLine = "";
  #replyLines: string[] = [];
  #replyOctets = 0;
  #hasText = false;

  get hasOctetsSinceReply(): boolean {
    return this.#hasText || this.#unfinishedLine !== "" || this.#replyLines.length > 0;
  }

  /** Passes on the replies and lines of text that end in the chunk. @throws FtpullError "protocol" */
  read(chunk: string, passOn: (replyOrText: string) => void): void {
    const lines = (this.#unfinishedLine + chunk).split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    for (const line of lines) this.#add(withoutCarriageReturns(line), passOn);
    if (this.#unfinishedLine.length > longestLineOctets || this.#replyOctets > longestReplyOctets)
      throw new FtpullError("protocol", "the server sent an endless reply");
  }

  #add(line: string, passOn: (replyOrText: string) => void): void {
    if (line.trim() === "") return;
    const [, code, mark] = replyLine.exec(line) ?? [];
    const [firstLine] = this.#replyLines;
    this.#replyOctets += line.length + 1;
    if (firstLine === undefined && code === undefined) {
      this.#hasText = true;
      return passOn(line);
    }
    this.#replyLines.push(line);
    const isLast = code !== undefined && mark !== "-" && endsReply(code, firstLine ?? line);
    if (isLast) passOn(this.#takeReply());
  }

  #takeReply(): string {
    this.#hasText = false;
    this.#replyOctets = 0;
    return this.#replyLines.splice(0).join("\n");
  }
}

/** A reply ends with its own code (RFC 959 §4.2); glftpd's warnings before a transfer, 5yz, with the transfer's 1yz. */
function endsReply(code: string, firstLine: string): boolean {
  return firstLine.startsWith(code) || (firstLine.startsWith("5") && code.startsWith("1"));
}

/** Some servers end lines in CR CR LF. */
function withoutCarriageReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === "\r") end--;
  return line.slice(0, end);
}
