/** The control connection: sends commands, is secured and closed. Exchanges matches replies to commands. */
import { FTPContext } from "basic-ftp/dist/FtpContext.js";
import type { Socket } from "node:net";
import { FtpullError, networkError, systemText, toFtpullError } from "../../errors.ts";
import { within } from "../../net/time-limit.ts";
import { isTlsError, tlsError } from "../../net/tls-error.ts";
import type { SessionOptions } from "../session-options.ts";
import { type Exchange, Exchanges } from "./exchanges.ts";
import type { SentCommand } from "./fits.ts";
import { ReplyReader } from "./reply-reader.ts";

export class ControlConnection {
  readonly #context: LineContext;
  /** The commands and their replies, and why there are no more. */
  readonly exchanges: Exchanges;
  readonly greeting: Exchange;

  constructor(socket: Socket, options: SessionOptions) {
    this.#context = new LineContext({
      received: (text) => this.exchanges.receive(text),
      closed: (error) => this.exchanges.fail(lost(error)),
    });
    this.exchanges = new Exchanges(options, (reason) => this.close(reason));
    this.greeting = this.exchanges.add([{ line: "", codes: [220] }])[0]!;
    this.socket = socket;
  }

  get socket(): Socket {
    return this.#context.socket;
  }

  set socket(socket: Socket) {
    this.#context.socket = socket;
    socket.setNoDelay(true);
    // Firewalls forget a control connection that is silent during a long transfer.
    socket.setKeepAlive(true, 30_000);
  }

  /** Secures the socket after AUTH. @throws FtpullError "tls" if clear text followed, perhaps injected */
  async upgrade(secure: (socket: Socket) => Promise<Socket>): Promise<void> {
    try {
      const { failure } = this.exchanges;
      const isInjected = failure?.kind === "protocol" || this.#context.reader.hasOctetsSinceReply;
      if (isInjected) throw new FtpullError("tls", injectedText);
      this.socket = await secure(this.socket);
    } catch (error) {
      this.close(toFtpullError(error));
      throw error;
    }
  }

  get usable(): boolean {
    return this.failure === undefined && this.socket.writable;
  }

  get failure(): FtpullError | undefined {
    return this.exchanges.failure;
  }

  /** Sends commands in one write. A lost connection rejects their replies; the call itself succeeds. */
  send<C extends SentCommand>(commands: readonly C[]): Exchange<C>[] {
    // URLs with these octets are refused earlier (U14), but a password file can contain them.
    for (const { line } of commands)
      if (/[\r\n\0]/.test(line))
        throw new FtpullError("other", `the argument of ${line.split(" ")[0]} holds CR, LF or NUL`);
    const exchanges = this.exchanges.add(commands);
    if (this.failure === undefined)
      this.#context.send(commands.map(({ line }) => line).join("\r\n"));
    return exchanges;
  }

  close(reason: FtpullError): void {
    this.exchanges.fail(reason);
    this.#context.close();
  }

  async quit(patienceMs: number): Promise<void> {
    const [quit] = this.send([{ line: "QUIT", codes: [221] }]);
    // The connection is closed in any case.
    await within(patienceMs, quit!.finalReply("unlimited")).catch(() => undefined);
    this.close(new FtpullError("network", "the control connection is closed"));
  }
}

const injectedText = "the server sent more in clear text after its answer to AUTH TLS";

/** The error for the end of the connection; FTPContext has the words that are looked for. */
function lost(error: Error): FtpullError {
  if (error instanceof FtpullError) return error;
  if (isTlsError(error)) return tlsError("the control connection broke", error);
  const isClosed = /FIN packet|closed connection/.test(error.message);
  const words = isClosed ? "the server closed the control connection" : systemText(error);
  return networkError(words, { cause: error });
}

interface Events {
  received(replyOrText: string): void;
  closed(error: Error): void;
}

/** basic-ftp's FTPContext moves the octets of a control connection; here they become replies. */
class LineContext extends FTPContext {
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
