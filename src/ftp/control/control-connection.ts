/**
 * The control connection: commands out, replies in, in order. It stands on basic-ftp's
 * FTPContext for the socket and for putting multi-line replies together, and knows
 * nothing of what the commands mean.
 */
import { FTPError, type FTPResponse } from "basic-ftp";
import type { Socket } from "node:net";
import { FtpullError, NetworkFailure, systemText, toFtpullError } from "../../errors.ts";
import { isTlsError, tlsError } from "../../net/tls-error.ts";
import { Dialogue, type DialogueObserver } from "./dialogue.ts";
import { LineContext } from "./line-context.ts";
import { ReplyQueue } from "./reply-queue.ts";
import { isPreliminary, replyCode, ReplyError, type Reply } from "./reply.ts";
import { SentAhead } from "./sent-ahead.ts";

/** Preliminary replies that one command may get before the server is called broken. */
const mostPreliminaries = 30;

/** One control connection. Every command line and every reply of a session passes through here. */
export class ControlConnection {
  readonly #context = new LineContext();
  readonly #dialogue: Dialogue;
  /** The longest wait for one reply. */
  readonly timeoutMs: number;
  readonly #replies = new ReplyQueue();
  /** Whether a reply came that the last command didn't ask for. */
  #strayed = false;
  /** Whether QUIT has been sent. */
  #leaving = false;
  readonly ahead = new SentAhead({
    send: (lines) => this.#send([], lines),
    completion: () => this.completion(),
  });

  /** Takes over a socket that is connected; its greeting is still to be read. */
  constructor(socket: Socket, observer: DialogueObserver, timeoutMs: number) {
    this.#dialogue = new Dialogue(observer);
    this.timeoutMs = timeoutMs;
    this.socket = socket;
    // One task for the whole life of the connection: every reply and the closing error reach it.
    void this.#context.handle(undefined, (response) => this.#receive(response));
  }

  get socket(): Socket {
    return this.#context.socket;
  }

  /** Puts a socket, such as a TLS one around the present one, in the place of the present one. */
  set socket(socket: Socket) {
    this.#context.socket = socket;
    socket.setNoDelay(true);
    // A firewall forgets a control connection that is silent during a long transfer.
    socket.setKeepAlive(true, 30_000);
  }

  /**
   * Puts what `secure` makes of the socket in its place: TLS, after the reply to AUTH.
   * @throws FtpullError "tls" when more than that reply came in clear text: anybody can have
   *   put it there, to be taken for the reply to a command that is sent under TLS
   */
  async upgrade(secure: (socket: Socket) => Promise<Socket>): Promise<void> {
    try {
      if (this.#strayed || this.#context.isMidReply) throw injected();
      this.socket = await secure(this.socket);
    } catch (error) {
      this.close(toFtpullError(error));
      throw error;
    }
  }

  /** Whether commands can still be sent. */
  get usable(): boolean {
    return this.#replies.failure === undefined && !this.#leaving && this.socket.writable;
  }

  /**
   * Sends a command and resolves with its first reply, which may be a preliminary one.
   * Where this very command was sent ahead, only its reply is waited for; where others
   * were, their replies are passed over first. What is `behind` it is sent ahead in the same write.
   * @throws FtpullError "network" when the connection is lost or silent for too long
   */
  async command(line: string, behind: readonly string[] = []): Promise<Reply> {
    // Its reply would be that to QUIT.
    if (this.#leaving) throw new NetworkFailure("QUIT was sent");
    if (!(await this.ahead.reach(line))) {
      this.#send([line], behind);
      this.ahead.add(behind);
    }
    return this.reply();
  }

  /** Like `command`, but passes over preliminary replies. */
  async request(line: string): Promise<Reply> {
    return this.#afterPreliminaries(await this.command(line));
  }

  /** The next reply that is not a preliminary one; for the end of a transfer. */
  async completion(timeoutMs = this.timeoutMs): Promise<Reply> {
    return this.#afterPreliminaries(await this.reply(timeoutMs));
  }

  /** Sends QUIT, though the last transfer's reply is still to come: the server sends both (RFC 959 §4.1.1). */
  leave(): void {
    if (!this.#leaving) this.#send([], ["QUIT"]);
    this.#leaving = true;
  }

  /** Whether the connection broke, without a word from the server, while commands were sent ahead. */
  get brokeAhead(): boolean {
    return !this.ahead.isEmpty && this.#replies.failure?.kind === "network";
  }

  /** The next reply of any class, within `timeoutMs` (0: however long it takes); throws as `command` does. */
  reply(timeoutMs = this.timeoutMs): Promise<Reply> {
    return this.#replies.next(timeoutMs, () => this.close(silence(timeoutMs)));
  }

  /** Ends whatever is waited for with `reason`; only `quit` is possible afterwards. */
  interrupt(reason: Error): void {
    this.#replies.interrupt(reason);
  }

  /** Closes at once, replies unread; whoever waits or comes later gets `reason`. */
  close(reason: FtpullError): void {
    this.#replies.clear();
    this.#replies.fail(reason);
    this.#context.close();
  }

  /** Ends politely: QUIT, whose reply is waited for at most `patienceMs`, then closes (S12). */
  async quit(patienceMs = 1000): Promise<void> {
    const closed = new FtpullError("network", "the control connection is closed");
    this.#replies.interrupt(closed);
    this.#replies.goOn();
    const timer = setTimeout(() => this.close(closed), patienceMs);
    try {
      this.leave();
      while (this.#dialogue.isOwed) await this.reply(0);
    } catch {
      // The connection is given up either way.
    }
    clearTimeout(timer);
    this.close(closed);
  }

  async #afterPreliminaries(first: Reply): Promise<Reply> {
    let reply = first;
    for (let count = 0; isPreliminary(reply); count++) {
      if (count === mostPreliminaries) {
        throw new FtpullError("protocol", "the server goes on sending preliminary replies");
      }
      reply = await this.reply();
    }
    return reply;
  }

  #send(asked: readonly string[], ahead: readonly string[]): void {
    if (this.#replies.failure !== undefined) return;
    // A URL is refused for them earlier (U14); a password file can hold them too.
    const unsafe = [...asked, ...ahead].find((line) => /[\r\n\0]/.test(line));
    if (unsafe !== undefined) throw unsendable(unsafe);
    this.#strayed = false;
    this.socket.cork();
    for (const line of asked) this.#sendLine(line, false);
    for (const line of ahead) this.#sendLine(line, true);
    this.socket.uncork();
  }

  #sendLine(line: string, ahead: boolean): void {
    this.#dialogue.sent(line, ahead);
    this.#context.send(line);
  }

  #receive(response: Error | FTPResponse): void {
    if (response instanceof Error && !(response instanceof FTPError)) {
      this.#replies.fail(lost(response));
      return;
    }
    const { isOwed } = this.#dialogue;
    const reply = this.#dialogue.received(response.message);
    if (!isOwed) this.#strayed = true;
    else if (!this.#replies.deliver(reply)) this.close(unwanted());
    // RFC 959 §5.4: 421 may come as the answer to any command or to none; the session is over.
    if (reply.code === replyCode.serviceNotAvailable) {
      this.#replies.fail(new ReplyError("the server ended the session", reply));
    }
  }
}

function unsendable(line: string): FtpullError {
  const [verb] = line.split(" ", 1);
  return new FtpullError("other", `the argument of ${verb} holds CR, LF or NUL`);
}

function silence(timeoutMs: number): NetworkFailure {
  return new NetworkFailure(`the server sent no reply for ${timeoutMs / 1000} s`);
}

function unwanted(): FtpullError {
  return new FtpullError("protocol", "the server sends replies that nobody waits for");
}

function injected(): FtpullError {
  const text = "the server sent more in clear text after its answer to AUTH TLS";
  return new FtpullError("tls", text);
}

function lost(error: Error): FtpullError {
  if (error instanceof FtpullError) return error;
  if (isTlsError(error)) return toFtpullError(tlsError("the control connection broke", error));
  const closed = /FIN packet|closed connection/.test(error.message);
  const words = closed ? "the server closed the control connection" : systemText(error);
  return new NetworkFailure(words, error);
}
