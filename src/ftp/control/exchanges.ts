/**
 * Commands of one control connection and their replies, in order. Where commands have shared a write, a wrong match
 * would go unnoticed: a reply that its command can't have ends the session, and so does one that is overdue.
 */
import { Changed } from "../../changed.ts";
import { FtpullError, NetworkFailure } from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { DialogueObserver, SessionOptions } from "../session-options.ts";
import {
  Exchange,
  type ExchangeQueue,
  Misplaced,
  type SentCommand,
  type WaitLimit,
} from "./exchange.ts";
import {
  isAccountDemand,
  isCompletion,
  isNegative,
  isPreliminary,
  isTransientNegative,
  parseReply,
  quoteReply,
  replyCode,
  replyLine,
  ReplyError,
  type Reply,
} from "./reply.ts";

/** Some servers read one command of a write, and drop the rest: the second reply comes soon, or never. */
const secondReplyMs = 2000;

const mostPreliminaries = 30;

type Options = Pick<SessionOptions, "number" | "timeoutMs"> & {
  readonly observer: DialogueObserver;
};

export class Exchanges implements ExchangeQueue {
  readonly #options: Options;
  readonly #broken: (reason: FtpullError) => void;
  readonly #pending: Exchange[] = [];
  readonly #changed = new Changed();
  #waitsWithTimeout = 0;
  /** Replies to commands that shared a write, until two of them show that the server reads a whole write. */
  #repliesToShared = 0;
  #hasShared = false;
  #isLoggedIn = false;
  #preliminaries = 0;
  /** Shared by all waits: a timer for each reply would cost more. */
  readonly #silence: TimeLimit;
  readonly #overdue: TimeLimit;
  failure: FtpullError | undefined;
  #interruption: Error | undefined;

  constructor(options: Options, broken: (reason: FtpullError) => void) {
    this.#options = options;
    this.#broken = broken;
    this.#silence = new TimeLimit(options.timeoutMs, () => this.#endSilence());
    this.#overdue = new TimeLimit(secondReplyMs, () =>
      broken(new Misplaced("the server answers one command of several")),
    );
  }

  get brokePipelining(): boolean {
    if (this.failure instanceof Misplaced) return true;
    return this.failure?.kind === "network" && this.#pending.some(({ isShared }) => isShared);
  }

  /** Adds the commands of one write. */
  add<C extends SentCommand>(commands: readonly C[]): Exchange<C>[] {
    const isShared = commands.length > 1;
    const exchanges = commands.map((command) => new Exchange(command, isShared, this));
    if (this.failure !== undefined) return exchanges;
    this.#hasShared ||= isShared || this.#pending.length > 0;
    if (this.#pending.length === 0) this.#showWithoutSecret(exchanges[0]);
    this.#pending.push(...exchanges);
    return exchanges;
  }

  receive(replyOrText: string): void {
    this.#options.observer.reply(replyOrText, this.#options.number);
    if (!replyLine.test(replyOrText)) return;
    const reply = parseReply(replyOrText);
    const [oldest] = this.#pending;
    // 421 may come as the reply to any command or to none (RFC 959 §5.4): the session is over.
    const isSessionOver = reply.code === replyCode.serviceNotAvailable;
    if (oldest !== undefined && (isSessionOver || this.#fits(reply, oldest)))
      this.#settle(oldest, reply);
    else if (!isSessionOver) this.#misplaced(reply);
    if (isSessionOver) this.fail(new ReplyError("the server ended the session", reply));
  }

  async wait(arrived: () => Reply | undefined, limit: WaitLimit): Promise<Reply> {
    if (limit === "timeout") this.#waitsWithTimeout++;
    this.#restartTimer();
    try {
      for (;;) {
        if (this.#interruption !== undefined) throw this.#interruption;
        if (this.failure instanceof Misplaced) throw this.failure;
        const reply = arrived();
        if (reply !== undefined) return reply;
        if (this.failure !== undefined) throw this.failure;
        await this.#changed.wait();
      }
    } finally {
      if (limit === "timeout") this.#waitsWithTimeout--;
    }
  }

  /** Rejects all waits but those for replies that have arrived. The first error wins. */
  fail(error: FtpullError): void {
    this.failure ??= error;
    this.#silence.stop();
    this.#overdue.stop();
    this.#changed.wake();
  }

  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#changed.wake();
  }

  /** True if the oldest command can have this reply; before commands have shared a write, it can have any. */
  #fits(reply: Reply, { command, first }: Exchange): boolean {
    if (!this.#hasShared || isPreliminary(reply)) return true;
    const isAlone = this.#pending.length === 1;
    if (first !== undefined) {
      // Servers end transfers with other replies, too, but commands behind them may have those.
      return isAlone || isTransientNegative(reply) || command.codes.includes(reply.code);
    }
    if (isAccountDemand(reply)) return isAlone;
    // What seems to refuse a login may be the refusal of a command behind it: one by one shows that.
    if (isNegative(reply)) return isAlone || this.#isLoggedIn || !isLogin(command);
    return command.codes.includes(reply.code) && (command.form?.test(reply.lines[0] ?? "") ?? true);
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
    const [next] = this.#pending;
    this.#showWithoutSecret(next);
    this.#restartTimer();
    this.#overdue.stop();
    if (exchange.isShared) this.#repliesToShared++;
    if (this.#repliesToShared === 1 && next?.isShared) this.#overdue.restart();
  }

  #misplaced(reply: Reply): void {
    const [oldest] = this.#pending;
    const what = oldest === undefined ? "sent a reply to no command" : "doesn't answer in order";
    const text = `the server ${what}: ${quoteReply(reply)}`;
    this.#broken(this.#hasShared ? new Misplaced(text) : new FtpullError("protocol", text));
  }

  #restartTimer(): void {
    if (this.#options.timeoutMs > 0 && this.failure === undefined) this.#silence.restart();
  }

  #endSilence(): void {
    if (this.#waitsWithTimeout === 0) return;
    const silence = `the server sent no reply for ${this.#options.timeoutMs / 1000} s`;
    this.#broken(new NetworkFailure(silence));
  }

  #showWithoutSecret(exchange: Exchange | undefined): void {
    const { observer, number } = this.#options;
    const line = exchange?.command.line.replace(/^(PASS|ACCT) .*$/s, "$1 ***") ?? "";
    if (line !== "") observer.command(line, number);
  }
}

function isLogin({ line }: SentCommand): boolean {
  return /^(?:USER|PASS) /.test(line);
}
