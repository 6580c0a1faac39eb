/**
 * basic-ftp's FTPContext moves the octets of a control connection, and ReplyReader makes replies of
 * them. This subclass prints nothing, makes no error of a refusal, and never sends a command by
 * itself.
 */
import { FTPContext, type FTPResponse } from "basic-ftp/dist/FtpContext.js";
import { toFtpullError } from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import { ReplyReader } from "./reply-reader.ts";

/**
 * Silence after which a reply may have ended without the last line; half the time of a reply, if
 * that is less.
 */
const longestSilenceMs = 2000;

export class LineContext extends FTPContext {
  readonly reader = new ReplyReader();
  readonly #silence: TimeLimit;

  constructor(timeoutMs: number) {
    // latin1 keeps octets; 0: Exchanges has the timeouts.
    super(0, "latin1");
    const silenceMs = Math.min(longestSilenceMs, timeoutMs / 2 || Infinity);
    this.#silence = new TimeLimit(silenceMs, () => this.#pass(this.reader.endLoosely()));
  }

  protected override _onControlSocketData(chunk: string): void {
    this.#silence.stop();
    this.#pass(this.reader.read(chunk));
    if (this.reader.isInReply && this._closingError === undefined) this.#silence.restart();
  }

  #pass(replies: Iterable<FTPResponse>): void {
    try {
      for (const reply of replies) this._passToHandler(reply);
    } catch (error) {
      this.closeWithError(toFtpullError(error));
    }
  }

  override log(): void {}

  /**
   * Sends one command, or several with CR LF between them, which FTPContext refuses. FTPContext
   * itself sends QUIT before it closes a socket, even an unconnected one.
   */
  override send(commands: string): void {
    if (this.socket.writable && !this.socket.pending && this._closingError === undefined)
      this.socket.write(`${commands}\r\n`, "latin1");
  }

  override closeWithError(error: Error): void {
    this.#silence.stop();
    super.closeWithError(error);
  }
}
