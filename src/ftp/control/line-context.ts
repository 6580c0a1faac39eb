/** basic-ftp's FTPContext moves the octets of a control connection; here they become replies. */
import { FTPContext } from "basic-ftp/dist/FtpContext.js";
import { toFtpullError } from "../../errors.ts";
import { ReplyReader } from "./reply-reader.ts";

interface Events {
  received(replyOrText: string): void;
  closed(error: Error): void;
}

export class LineContext extends FTPContext {
  readonly reader = new ReplyReader();
  readonly #events: Events;

  constructor(events: Events) {
    // latin1 keeps octets. FTPContext has no timeout (0): Exchanges has one.
    super(0, "latin1");
    this.#events = events;
  }

  protected override _onControlSocketData(chunk: string): void {
    try {
      this.reader.read(chunk, this.#passOn);
    } catch (error) {
      this.closeWithError(toFtpullError(error));
    }
  }

  readonly #passOn = (replyOrText: string): void => {
    if (this.#isOpen) this.#events.received(replyOrText);
  };

  get #isOpen(): boolean {
    return this._closingError === undefined;
  }

  /** Replaces FTPContext's log on standard output. */
  override log(): void {}

  /** Sends lines; not after the end, for which FTPContext would send a QUIT of its own. */
  override send(commands: string): void {
    if (this.socket.writable && !this.socket.pending && this.#isOpen)
      this.socket.write(`${commands}\r\n`, "latin1");
  }

  override closeWithError(error: Error): void {
    const wasOpen = this.#isOpen;
    super.closeWithError(error);
    if (wasOpen) this.#events.closed(error);
  }
}
