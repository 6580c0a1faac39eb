/**
 * The commands of one control connection and their replies: one queue and one timer. Replies come in
 * the order of the commands. Once commands have shared a write, a wrong match would go unnoticed: a
 * reply that its command can't have then ends the session, as a reply to no command always does.
 */
import { Changed } from "../../changed.ts";
import { FtpullError, NetworkFailure } from "../../errors.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { Command } from "../state.ts";
import {
  isNegative,
  isPreliminary,
  parseReply,
  quoteReply,
  replyCode,
  ReplyError,
  type Reply,
} from "./reply.ts";
import type { Transcript } from "./transcript.ts";

/** More preliminary replies to one command are a protocol error. */
const mostPreliminaries = 30;

export type SentCommand = Pick<Command, "line" | "codes" | "form" | "isProbe">;

/** A reply that came to no command, or to another one: none of the session's replies counts. */
export class Misplaced extends NetworkFailure {}

/** One command and its replies. */
export class Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly #queue: Exchanges;
  first: Reply | undefined;
  final: Reply | undefined;
  preliminaries = 0;
  /** Whether it was answered before the command that it was sent behind. */
  isEarly = false;

  constructor(command: C, queue: Exchanges) {
    this.command = command;
    this.#queue = queue;
  }

  firstReply(): Promise<Reply> {
    return this.#queue.wait(() => this.first);
  }

  /** If `isPatient`, the time between two replies has no limit. */
  finalReply(isPatient = false): Promise<Reply> {
    return this.#queue.wait(() => this.final, isPatient);
  }
}

export class Exchanges {
  readonly #transcript: Transcript;
  readonly #timeoutMs: number;
  readonly #onBroken: (reason: FtpullError) => void;
  readonly #pending: Exchange[] = [];
  readonly #changed = new Changed();
  /** How many wait for a reply that may not take any time. */
  #impatient = 0;
  /** Whether commands have been sent before others were answered. */
  #isPipelined = false;
  /** One limit serves all waits: a new one for each reply would cost more. */
  readonly #silence: TimeLimit;
  /** Why no further reply will come; undefined while one may. */
  failure: FtpullError | undefined;
  #interruption: Error | undefined;

  /** `onBroken` is called when a reply is overdue or breaks the protocol. */
  constructor(transcript: Transcript, timeoutMs: number, onBroken: (reason: FtpullError) => void) {
    this.#transcript = transcript;
    this.#timeoutMs = timeoutMs;
    this.#onBroken = onBroken;
    this.#silence = new TimeLimit(timeoutMs, () => this.#endSilence());
  }

  get brokePipelining(): boolean {
    if (this.failure instanceof Misplaced) return true;
    const unanswered = this.#pending.filter(({ command }) => command.line !== "QUIT");
    return this.failure?.kind === "network" && unanswered.length > 1;
  }

  /** Adds a command that is sent now; the transcript shows it when it is the oldest one. */
  add<C extends SentCommand>(command: C): Exchange<C> {
    const exchange = new Exchange(command, this);
    if (this.failure !== undefined) return exchange;
    this.#pending.push(exchange);
    if (this.#pending.length === 1) this.#show(exchange);
    else this.#isPipelined = true;
    return exchange;
  }

  /** Assigns a reply to its command. */
  receive(text: string): void {
    const reply = parseReply(text);
    const exchange = this.#answeredBy(reply);
    if (exchange?.isEarly) this.#show(exchange);
    this.#transcript.reply(reply);
    if (exchange !== undefined) this.#settle(exchange, reply);
    else if (reply.code !== replyCode.serviceNotAvailable) this.#misplaced(reply);
    // 421 may come as the reply to any command or to none (RFC 959 §5.4): the session is over.
    if (reply.code === replyCode.serviceNotAvailable)
      this.fail(new ReplyError("the server ended the session", reply));
  }

  /** Waits for the reply that `arrived` gives. */
  async wait(arrived: () => Reply | undefined, isPatient = false): Promise<Reply> {
    if (!isPatient) this.#impatient++;
    try {
      for (;;) {
        if (this.#interruption !== undefined) throw this.#interruption;
        if (this.failure instanceof Misplaced) throw this.failure;
        const reply = arrived();
        if (reply !== undefined) return reply;
        if (this.failure !== undefined) throw this.failure;
        if (this.#timeoutMs > 0) this.#silence.restart();
        await this.#changed.wait();
      }
    } finally {
      if (!isPatient) this.#impatient--;
    }
  }

  /** Rejects all waits but those for replies that have arrived. The first error wins. */
  fail(error: FtpullError): void {
    this.failure ??= error;
    this.#silence.stop();
    this.#changed.wake();
  }

  /** Rejects all waits with `reason`, also those that begin later. */
  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#changed.wake();
  }

  #answeredBy(reply: Reply): Exchange | undefined {
    const [oldest, behind] = this.#pending;
    if (oldest !== undefined && this.#canAnswer(oldest, reply)) return oldest;
    if (!behind?.command.isProbe || !this.#canAnswer(behind, reply)) return undefined;
    behind.isEarly = true;
    return behind;
  }

  #canAnswer({ command: { codes, form }, first }: Exchange, reply: Reply): boolean {
    const { code, lines } = reply;
    if (!this.#isPipelined || isPreliminary(reply) || code === replyCode.needAccount) return true;
    // A transfer that has begun isn't refused any more: that is another command's reply.
    if (isNegative(reply)) return !first || this.#pending.length === 1 || !refusals.has(code);
    return codes.includes(code) && (form?.test(lines[0] ?? "") ?? true);
  }

  #settle(exchange: Exchange, reply: Reply): void {
    exchange.first ??= reply;
    if (!isPreliminary(reply)) {
      exchange.final = reply;
      this.#pending.splice(exchange.isEarly ? 1 : 0, 1);
      const [oldest] = this.#pending;
      if (oldest !== undefined && !exchange.isEarly) this.#show(oldest);
    } else if (++exchange.preliminaries > mostPreliminaries) {
      const text = "the server goes on sending preliminary replies";
      return this.#onBroken(new FtpullError("protocol", text));
    }
    this.#changed.wake();
  }

  /** One command at a time, no reply that came before can be another's. */
  #misplaced(reply: Reply): void {
    const isStray = this.#pending.length === 0;
    const what = isStray ? "sent a reply to no command" : "doesn't answer in order";
    const text = `the server ${what}: ${quoteReply(reply)}`;
    this.#pending.length = 0;
    this.#onBroken(this.#isPipelined ? new Misplaced(text) : new FtpullError("protocol", text));
  }

  #endSilence(): void {
    if (this.#impatient === 0) return;
    const silence = `the server sent no reply for ${this.#timeoutMs / 1000} s`;
    this.#onBroken(new NetworkFailure(silence));
  }

  #show({ command }: Exchange): void {
    if (command.line !== "") this.#transcript.command(command.line);
  }
}

/** Replies to commands that aren't known, or to names that aren't there. */
const refusals = new Set([500, 501, 502, 504, 550]);
