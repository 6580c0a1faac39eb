/**
 * Commands of one control connection and their replies, in order. Where commands have shared a
 * write, a wrong match would go unnoticed: a reply that its command can't have ends the session.
 */
import { Changed } from "../../changed.ts";
import { FtpullError, NetworkFailure } from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { DialogueObserver, SessionOptions } from "../session-options.ts";
import { answeredBy } from "./answered-by.ts";
import {
  Exchange,
  type ExchangeQueue,
  Misplaced,
  type SentCommand,
  type WaitLimit,
} from "./exchange.ts";
import { FirstWrite, type Probe } from "./first-write.ts";
import {
  isNegative,
  isPreliminary,
  parseReply,
  quoteReply,
  replyCode,
  replyLine,
  ReplyError,
  type Reply,
} from "./reply.ts";
import { isLoggedIn, isLogin, refusalFirst } from "./unordered-login.ts";

const mostPreliminaries = 30;

type Options = Pick<SessionOptions, "number" | "timeoutMs"> & {
  readonly observer: DialogueObserver;
};

export interface Events {
  broken(reason: FtpullError): void;
  doubted(probe: Probe): void;
}

export class Exchanges implements ExchangeQueue {
  readonly #options: Options;
  readonly #events: Events;
  readonly #pending: Exchange[] = [];
  readonly #changed = new Changed();
  #waitsWithTimeout = 0;
  readonly #firstWrite: FirstWrite;
  readonly #heldReplies: Reply[] = [];
  /** The order of replies to a login: lost when one fits no command, restored by its refusal among those held. */
  #loginOrder: "kept" | "lost" | "restored" = "kept";
  #hasLoggedIn = false;
  /** Shared by all waits: a timer for each reply would cost more. */
  readonly #silence: TimeLimit;
  doubtful: Exchange | undefined;
  failure: FtpullError | undefined;
  #interruption: Error | undefined;

  constructor(options: Options, events: Events) {
    this.#options = options;
    this.#events = events;
    this.#firstWrite = new FirstWrite((probe) => events.doubted(probe));
    this.#silence = new TimeLimit(options.timeoutMs, () => this.#endSilence());
  }

  get brokePipelining(): boolean {
    if (this.failure instanceof Misplaced || this.#loginOrder === "restored") return true;
    if (this.failure?.kind !== "network") return false;
    const unanswered = this.#pending.filter(({ command }) => command.line !== "QUIT");
    if (this.#firstWrite.hasOneReply) return unanswered.length > 0;
    // The password may have been judged: to send it again at once could lock the account.
    const isPasswordNext = unanswered[0]?.command.line.startsWith("PASS ") === true;
    if (isPasswordNext && this.#firstWrite.isRead && this.#loginOrder === "kept") return false;
    return unanswered.length > 1;
  }

  get #isPipelined(): boolean {
    return this.#firstWrite.hasBegun;
  }

  add<C extends SentCommand>(command: C): Exchange<C> {
    const exchange = new Exchange(command, this);
    if (this.failure !== undefined) return exchange;
    this.#pending.push(exchange);
    if (this.#pending.length === 1) this.#showWithoutSecret(exchange);
    else this.#firstWrite.begin();
    return exchange;
  }

  receive(replyOrText: string): void {
    const isReply = replyLine.test(replyOrText);
    if (!isReply) return this.#showText(replyOrText);
    const reply = parseReply(replyOrText);
    const exchange = this.#exchangeOf(reply);
    const [oldest] = this.#pending;
    const isEarly = exchange !== undefined && exchange !== oldest;
    if (isEarly) this.#noteEarlyAnswer(exchange, reply);
    this.#showText(replyOrText);
    // 421 may come as the reply to any command or to none (RFC 959 §5.4): the session is over.
    const isSessionOver = reply.code === replyCode.serviceNotAvailable;
    if (exchange !== undefined) this.#settle(exchange, reply);
    else if (this.#mayBeOfLogin(reply)) this.#hold(reply);
    else if (!isSessionOver) this.#misplaced(reply);
    if (isSessionOver) this.fail(new ReplyError("the server ended the session", reply));
  }

  async wait(arrived: () => Reply | undefined, limit: WaitLimit): Promise<Reply> {
    if (limit === "timeout") this.#waitsWithTimeout++;
    this.#restartTimer();
    try {
      for (;;) {
        if (this.#interruption !== undefined) throw this.#interruption;
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
    if (!(error instanceof Misplaced)) this.#settleRefusedLogin();
    this.failure ??= error;
    this.#silence.stop();
    this.#firstWrite.end();
    this.#changed.wake();
  }

  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#changed.wake();
  }

  #exchangeOf(reply: Reply): Exchange | undefined {
    if (this.#heldReplies.length > 0) return undefined;
    return this.#isPipelined ? answeredBy(reply, this.#pending) : this.#pending[0];
  }

  #noteEarlyAnswer(probe: Exchange, reply: Reply): void {
    probe.isAnsweredEarly = true;
    const [oldest] = this.#pending;
    if (oldest !== undefined) oldest.mayHaveBeenRefused = isNegative(reply);
    this.#showWithoutSecret(probe);
  }

  #settle(exchange: Exchange, reply: Reply): void {
    exchange.first ??= reply;
    this.doubtful = undefined;
    if (isPreliminary(reply)) this.#countPreliminary(exchange);
    else this.#finish(exchange, reply);
    this.#changed.wake();
  }

  #countPreliminary(exchange: Exchange): void {
    exchange.preliminaries++;
    if (exchange.preliminaries <= mostPreliminaries) return;
    const text = "the server goes on sending preliminary replies";
    this.#events.broken(new FtpullError("protocol", text));
  }

  #finish(exchange: Exchange, reply: Reply): void {
    exchange.final = reply;
    this.#hasLoggedIn ||= isLoggedIn(reply);
    this.#pending.splice(this.#pending.indexOf(exchange), 1);
    const [oldest] = this.#pending;
    if (oldest !== undefined && !exchange.isAnsweredEarly) this.#showWithoutSecret(oldest);
    this.#restartTimer();
    this.#firstWrite.answered(reply, oldest?.command);
    const isProbePending = this.#firstWrite.isInDoubt && oldest !== undefined;
    if (isProbePending && isNegative(reply)) this.doubtful = exchange;
  }

  #mayBeOfLogin(reply: Reply): boolean {
    const [oldest] = this.#pending;
    if (oldest === undefined || this.#hasLoggedIn || this.#firstWrite.wasProbed) return false;
    const isEnd = reply.code === replyCode.serviceNotAvailable;
    return isLogin(oldest.command) && !isPreliminary(reply) && !isEnd;
  }

  /** Waits for the login's refusal: a second login with a wrong password can lock the account. */
  #hold(reply: Reply): void {
    if (this.#loginOrder === "kept") this.#loginOrder = "lost";
    this.#heldReplies.push(reply);
    this.#restartTimer();
    this.#firstWrite.answered(reply, this.#pending[0]?.command);
    if (isLoggedIn(reply)) return this.#misplaced(reply);
    if (!this.#hasAllReplies) return;
    const isRefusalFound = this.#settleRefusedLogin();
    if (!isRefusalFound) this.#misplaced(reply);
  }

  get #hasAllReplies(): boolean {
    return this.#heldReplies.length >= this.#pending.length;
  }

  #settleRefusedLogin(): boolean {
    const [oldest] = this.#pending;
    if (oldest === undefined) return false;
    const areAll = this.#hasAllReplies;
    const replies = refusalFirst(oldest.command, this.#heldReplies.splice(0), areAll);
    if (replies === undefined) return false;
    this.#loginOrder = "restored";
    for (const reply of replies) this.#settle(this.#pending[0]!, reply);
    return true;
  }

  #misplaced(reply: Reply): void {
    const isStray = this.#pending.length === 0;
    const disorder = this.#firstWrite.wasProbed ? "drops commands" : "doesn't answer in order";
    const what = isStray ? "sent a reply to no command" : disorder;
    const text = `the server ${what}: ${quoteReply(reply)}`;
    this.#pending.length = 0;
    this.#heldReplies.length = 0;
    this.#events.broken(
      this.#isPipelined ? new Misplaced(text) : new FtpullError("protocol", text),
    );
  }

  #restartTimer(): void {
    if (this.#options.timeoutMs > 0 && this.failure === undefined) this.#silence.restart();
  }

  #endSilence(): void {
    if (this.#waitsWithTimeout === 0) return;
    const silence = `the server sent no reply for ${this.#options.timeoutMs / 1000} s`;
    this.#events.broken(new NetworkFailure(silence));
  }

  #showWithoutSecret({ command }: Exchange): void {
    const { observer, number } = this.#options;
    const line = command.line.replace(/^(PASS|ACCT) .*$/s, "$1 ***");
    if (line !== "") observer.command(line, number);
  }

  #showText(text: string): void {
    const { observer, number } = this.#options;
    observer.reply(text, number);
  }
}
