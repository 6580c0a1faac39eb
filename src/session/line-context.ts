/**
 * basic-ftp's FTPContext with its rough edges taken off: it reads whole lines only,
 * prints nothing, and never sends a command of its own.
 */
import { FTPContext } from "basic-ftp";
import { FtpullError } from "../errors.ts";
import { quoteName } from "./reply.ts";

/** Octets of a reply line without an end at which the connection is given up. */
const longestLine = 64 * 1024;

/** A line that a reply begins or ends with (RFC 959 §4.2): the code, and what follows it. */
const replyLine = /^([1-5]\d\d)([ -]|$)/;

/**
 * FTPContext hands a reply on as soon as a chunk ends, even in mid-line. This one holds
 * back what follows the last LF, so that replies do not depend on how TCP cut them.
 */
export class LineContext extends FTPContext {
  #unfinished = "";
  /** The code of a reply of several lines whose last one is still to come. */
  #code: string | undefined;
  /** Nothing more may be sent. */
  #closing = false;

  constructor() {
    // Octets in, octets out; and time is kept by ControlConnection.
    super(0, "latin1");
  }

  /** Whether something came in that isn't a whole reply yet. */
  get isMidReply(): boolean {
    return this.#unfinished !== "" || this._partialResponse !== "";
  }

  protected override _onControlSocketData(chunk: string): void {
    // Some servers end lines in CR CR LF, of which the stock parser takes one CR at each look.
    const lines = (this.#unfinished + chunk).replace(/(?<!\r)\r+\n/g, "\n").split("\n");
    this.#unfinished = lines.pop() ?? "";
    const stray = lines.findIndex((line) => !this.#belongs(line));
    const good = stray < 0 ? lines : lines.slice(0, stray);
    if (good.length > 0) super._onControlSocketData(good.map((line) => `${line}\n`).join(""));
    if (stray >= 0) {
      const text = `the server does not speak FTP: it sent ${quote(lines[stray] ?? "")}`;
      this.closeWithError(new FtpullError("protocol", text));
    } else if (this.#unfinished.length > longestLine) {
      this.closeWithError(new FtpullError("protocol", "the server sent an endless reply"));
    }
  }

  /** Whether a line is part of a reply; the stock parser drops what stands between replies. */
  #belongs(line: string): boolean {
    const [, code, mark] = replyLine.exec(line) ?? [];
    if (this.#code !== undefined) {
      if (code === this.#code && mark !== "-") this.#code = undefined;
      return true;
    }
    if (mark === "-") this.#code = code;
    return code !== undefined || line.trim() === "";
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
