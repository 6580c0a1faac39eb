/**
 * basic-ftp's FTPContext with its rough edges taken off: it reads whole lines only, allows
 * replies of any sane length, prints nothing, and never sends a command of its own.
 */
import { FTPContext, FTPError } from "basic-ftp";
import { FtpullError } from "../../errors.ts";
import { quoteName } from "./reply.ts";

/** Octets of a reply line without an end at which the connection is given up. */
const longestLine = 64 * 1024;

/** Octets of one reply at which the connection is given up: greetings can be whole documents. */
const longestReply = 1024 * 1024;

/** A line that a reply begins or ends with (RFC 959 §4.2): the code, and what follows it. */
const replyLine = /^([1-5]\d\d)([ -]|$)/;

/**
 * FTPContext hands a reply on as soon as a chunk ends, even in mid-line. This one holds
 * back what follows the last LF, so that replies do not depend on how TCP cut them. It puts
 * replies together by itself, since the stock parser ends a session at 64 KiB of one.
 */
export class LineContext extends FTPContext {
  #unfinished = "";
  /** The lines of a reply whose last one is still to come, and their octets. */
  #lines: string[] = [];
  #octets = 0;
  /** Nothing more may be sent. */
  #closing = false;

  constructor() {
    // Octets in, octets out; and time is kept by ControlConnection.
    super(0, "latin1");
  }

  /** Whether something came in that isn't a whole reply yet. */
  get isMidReply(): boolean {
    return this.#unfinished !== "" || this.#lines.length > 0;
  }

  protected override _onControlSocketData(chunk: string): void {
    // Some servers end lines in CR CR LF.
    const lines = (this.#unfinished + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinished = lines.pop() ?? "";
    const stray = lines.find((line) => line.trim() !== "" && !this.#take(line));
    if (stray !== undefined) {
      const text = `the server does not speak FTP: it sent ${quote(stray)}`;
      this.closeWithError(new FtpullError("protocol", text));
    } else if (this.#unfinished.length > longestLine || this.#octets > longestReply) {
      this.closeWithError(new FtpullError("protocol", "the server sent an endless reply"));
    }
  }

  /** Takes a line, and hands the reply on that it ends; false where it is part of none. */
  #take(line: string): boolean {
    const [, code, mark] = replyLine.exec(line) ?? [];
    const begun = this.#lines[0];
    if (begun === undefined && code === undefined) return false;
    this.#lines.push(line);
    this.#octets += line.length + 1;
    const isLast = mark !== "-" && (begun === undefined || begun.startsWith(code ?? "-"));
    if (isLast) this.#handOn();
    return true;
  }

  #handOn(): void {
    const message = this.#lines.join("\n");
    const response = { code: Number(message.slice(0, 3)), message };
    this.#lines = [];
    this.#octets = 0;
    this._passToHandler(response.code >= 400 ? new FTPError(response) : response);
  }

  /** The stock one prints to standard output. */
  override log(): void {}

  /** The stock one says QUIT to the socket that it begins with, and that is never connected. */
  override send(command: string): void {
    if (this.socket.writable && !this.socket.pending && !this.#closing) super.send(command);
  }

  /** The stock one sends a QUIT of its own, also to what doesn't speak FTP or has left. */
  override closeWithError(error: Error): void {
    this.#closing = true;
    super.closeWithError(error);
  }
}

function quote(text: string): string {
  const line = text.trim();
  return quoteName(line.length > 80 ? `${line.slice(0, 80)}...` : line);
}
