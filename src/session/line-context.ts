/**
 * basic-ftp's FTPContext with its rough edges taken off: it reads whole lines only,
 * prints nothing, and never sends a command of its own.
 */
import { FTPContext } from "basic-ftp";
import { FtpullError } from "../errors.ts";
import { quoteName } from "./reply.ts";

/** Octets of a reply line without an end at which the connection is given up. */
const longestLine = 64 * 1024;

/** The beginning of lines of which the first one can't begin a reply (RFC 959 §4.2). */
const notAReply = /^(?!\d{3}[ -]|\d{3}\r?\n|\s*\n)[^\n]*\n/;

/**
 * FTPContext hands a reply on as soon as a chunk ends, even in mid-line. This one holds
 * back what follows the last LF, so that replies do not depend on how TCP cut them.
 */
export class LineContext extends FTPContext {
  #unfinished = "";
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
    const text = this.#unfinished + chunk;
    const end = text.lastIndexOf("\n") + 1;
    this.#unfinished = text.slice(end);
    if (this._partialResponse === "" && notAReply.test(text.slice(0, end))) {
      this.closeWithError(
        new FtpullError("protocol", `the server does not speak FTP: it sent ${quote(text)}`),
      );
    } else if (this.#unfinished.length > longestLine) {
      this.closeWithError(new FtpullError("protocol", "the server sent an endless reply"));
    } else if (end > 0) {
      super._onControlSocketData(text.slice(0, end));
    }
  }

  /** The stock one prints to standard output. */
  override log(): void {}

  override send(command: string): void {
    if (this.socket.writable && !this.#closing) super.send(command);
  }

  /** The stock one sends a QUIT of its own, also to what doesn't speak FTP or has left. */
  override closeWithError(error: Error): void {
    this.#closing = true;
    super.closeWithError(error);
  }
}

function quote(text: string): string {
  const line = text.slice(0, text.indexOf("\n")).trim();
  return quoteName(line.length > 80 ? `${line.slice(0, 80)}...` : line);
}
