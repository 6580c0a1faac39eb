/**
 * Commands of one control connection and their replies, in order. Where commands have shared a write, a wrong match
 * would go unnoticed: a reply that doesn't fit its command ends the session, and so does a late one in the login.
 */
import { Changed } from "../../changed.ts";
import { clockMs } from "../../clock.ts";
import { FtpullError, hasReason, networkError } from "../../errors.ts";
import { TimeLimit } from "../../net/time-limit.ts";
import type { SessionOptions } from "../session-options.ts";
import { fits, isLogin, type SentCommand } from "./fits.ts";
import {
  isCompletion,
  isPreliminary,
  parseReply,
  quoteReply,
  quoteText,
  replyCode,
  replyLine,
  ReplyError,
  type Reply,
} from "./reply.ts";

/**
 * A reply came that its command can't have, or that is overdue, where commands have shared a write: which reply is
 * whose isn't known any more, and none of the session's counts.
 */
export function misplaced(message: string): FtpullError {
  return networkError(message, { reason: "misplaced reply" });
}

/** True for the end of a session that may have come of commands that shared a write: one at a time may go better. */
export function isOfPipelining(error: unknown): error is FtpullError {
  return hasReason(error, "misplaced reply", "write unanswered");
}

/** A command that was sent, with its replies. A wait that is "unlimited" is not ended by silence. */
export interface Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly isShared: boolean;
  first?: Reply;
  final?: Reply;
  firstReply(): Promise<Reply>;
  finalReply(limit?: "unlimited"): Promise<Reply>;
}

const mostPreliminaries = 30;

/** Lines by which SSH and HTTP servers can be told, on whose ports people try FTP. */
const otherProtocol = /^(?:SSH-|HTTP\/)/;

/** Some servers read one command of a write, and drop the rest: the second reply comes soon, or never. */
const secondReplyMs = 2000;
const secondReplyRoundTrips = 3;

type Options = Pick<SessionOptions, "number" | "timeoutMs" | "dialogue">;

export class Exchanges {
  readonly #options: Options;
  readonly #broken: (reason: FtpullError) => void;
  readonly #pending: Exchange[] = [];
  readonly #changed = new Changed();
  #waitsWithTimeout = 0;
  #isLoggedIn = false;
  #preliminaries = 0;
  /** Shared by all waits: a timer for each reply would cost more. */
  readonly #silence: TimeLimit;
  /** When commands first went out together, or before a reply; undefined until then. */
  #sharedSinceMs: number | undefined;
  #overdue: TimeLimit | undefined;
  failure: FtpullError | undefined;
  #interruption: Error | undefined;

  constructor(options: Options, broken: (reason: FtpullError) => void) {
    this.#options = options;
    this.#broken = broken;
    this.#silence = new TimeLimit(options.timeoutMs, () => this.#endSilence());
  }

  get isPasswordUnanswered(): boolean {
    return this.#pending[0]?.command.line.startsWith("PASS ") === true;
  }

  /** Adds the commands of one write. */
  add<C extends SentCommand>(commands: readonly C[]): Exchange<C>[] {
    const isShared = commands.length > 1;
    const exchanges = commands.map((command) => {
      const exchange: Exchange<C> = {
        command,
        isShared,
        firstReply: () => this.#wait(exchange, "first"),
        finalReply: (limit) => this.#wait(exchange, "final", limit),
      };
      return exchange;
    });
    if (this.failure !== undefined) return exchanges;
    if (isShared || this.#pending.length > 0) this.#sharedSinceMs ??= clockMs();
    if (this.#pending.length === 0) this.#showWithoutSecret(exchanges[0]);
    this.#pending.push(...exchanges);
    return exchanges;
  }

  receive(replyOrText: string): void {
    this.#options.dialogue?.reply(replyOrText, this.#options.number);
    const [oldest] = this.#pending;
    if (!replyLine.test(replyOrText)) {
      const words = `the server doesn't speak FTP: ${quoteText(replyOrText)}`;
      if (otherProtocol.test(replyOrText)) this.#broken(new FtpullError("protocol", words));
      return;
    }
    const reply = parseReply(replyOrText);
    // 421 may come as the reply to any command or to none (RFC 959 §5.4): the session is over.
    const isSessionOver = reply.code === replyCode.serviceNotAvailable;
    if (oldest !== undefined && (isSessionOver || this.#fits(reply, oldest)))
      this.#settle(oldest, reply);
    else if (!isSessionOver) this.#misplaced(reply, oldest);
    if (isSessionOver) this.fail(new ReplyError("the server ended the session", reply));
  }

  async #wait(exchange: Exchange, which: "first" | "final", limit?: "unlimited"): Promise<Reply> {
    const isLimited = limit === undefined;
    if (isLimited) this.#waitsWithTimeout++;
    if (exchange[which] === undefined) this.#restartTimer();
    try {
      for (;;) {
        if (this.#interruption !== undefined) throw this.#interruption;
        if (hasReason(this.failure, "misplaced reply")) throw this.failure;
        const reply = exchange[which];
        if (reply !== undefined) return reply;
        if (this.failure !== undefined) throw this.failure;
        await this.#changed.wait();
      }
    } finally {
      if (isLimited) this.#waitsWithTimeout--;
    }
  }

  /** Rejects all waits but those for replies that have arrived. The first error wins. */
  fail(error: FtpullError): void {
    const isLost = error.kind === "network" && error.reason === undefined;
    const isUnanswered = isLost && this.#pending.some(({ isShared }) => isShared);
    this.failure ??= isUnanswered ? error.with({ reason: "write unanswered" }) : error;
    this.#silence.stop();
    this.#overdue?.stop();
    this.#changed.wake();
  }

  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#changed.wake();
  }

  #fits(reply: Reply, oldest: Exchange): boolean {
    if (this.#sharedSinceMs === undefined) return true;
    const isLast = this.#pending.length === 1;
    return fits(reply, { oldest, isLast, isLoggedIn: this.#isLoggedIn });
  }

  #settle(exchange: Exchange, reply: Reply): void {
    exchange.first ??= reply;
    if (!isPreliminary(reply)) this.#finish(exchange, reply);
    else if (++this.#preliminaries > mostPreliminaries)
      this.#broken(new FtpullError("protocol", "the server goes on sending preliminary replies"));
    this.#changed.wake();
  }

  #finish(exchange: Exchange, reply: Reply): void {
    exchange.final = reply;
    this.#preliminaries = 0;
    this.#isLoggedIn ||= isLogin(exchange.command) && isCompletion(reply);
    this.#pending.shift();
    this.#showWithoutSecret(this.#pending[0]);
    this.#restartTimer();
    if (exchange.isShared) this.#awaitSecondReply();
  }

  #awaitSecondReply(): void {
    const isFirst = this.#overdue === undefined && !this.#isLoggedIn && this.#pending.length > 0;
    if (!isFirst) return this.#overdue?.stop();
    const roundTripMs = clockMs() - (this.#sharedSinceMs ?? 0);
    const words = "the server answers one command of several";
    this.#overdue = new TimeLimit(secondReplyMs + secondReplyRoundTrips * roundTripMs, () =>
      this.#broken(misplaced(words)),
    );
    this.#overdue.restart();
  }

  #misplaced(reply: Reply, oldest: Exchange | undefined): void {
    const what = oldest === undefined ? "sent a reply to no command" : "doesn't answer in order";
    const text = `the server ${what}: ${quoteReply(reply)}`;
    const isShared = this.#sharedSinceMs !== undefined;
    this.#broken(isShared ? misplaced(text) : new FtpullError("protocol", text));
  }

  #restartTimer(): void {
    if (this.#options.timeoutMs > 0 && this.failure === undefined) this.#silence.restart();
  }

  #endSilence(): void {
    if (this.#waitsWithTimeout === 0) return;
    const silence = `the server sent no reply for ${this.#options.timeoutMs / 1000} s`;
    this.#broken(networkError(silence));
  }

  #showWithoutSecret(exchange: Exchange | undefined): void {
    const { dialogue, number } = this.#options;
    if (dialogue === undefined || exchange === undefined) return;
    const line = exchange.command.line.replace(/^(PASS|ACCT) .*$/s, "$1 ***");
    if (line !== "") dialogue.command(line, number);
  }
}
