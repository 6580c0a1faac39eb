/**
 * The commands of one control connection and their replies: one queue and one timer. A reply
 * belongs to the oldest command, unless that command's `ownerOf` says otherwise.
 */
import { FtpullError, NetworkFailure } from "../../errors.ts";
import type { Command, Owner } from "../state.ts";
import { isPreliminary, quoteReply, replyCode, ReplyError, type Reply } from "./reply.ts";
import type { Transcript } from "./transcript.ts";

/** More preliminary replies to one command are a protocol error. */
const mostPreliminaries = 30;

export type SentCommand = Pick<Command, "line" | "ownerOf">;

interface Waiter {
  readonly exchange: Exchange;
  readonly wants: "first" | "final";
  /** Whether the next reply may take any time. */
  readonly isPatient: boolean;
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

/** One command and its replies. */
export class Exchange {
  readonly command: SentCommand;
  readonly #queue: Exchanges;
  first: Reply | undefined;
  final: Reply | undefined;
  preliminaries = 0;
  /** Whether it was answered before an older command. */
  isEarly = false;

  constructor(command: SentCommand, queue: Exchanges) {
    this.command = command;
    this.#queue = queue;
  }

  firstReply(): Promise<Reply> {
    return this.#queue.wait(this, "first");
  }

  /** Its final reply; with a `timeoutMs` of 0 the time between two replies has no limit. */
  finalReply(timeoutMs?: number): Promise<Reply> {
    return this.#queue.wait(this, "final", timeoutMs === 0);
  }
}

export class Exchanges {
  readonly #transcript: Transcript;
  readonly #timeoutMs: number;
  readonly #onBroken: (reason: FtpullError) => void;
  readonly #pending: Exchange[] = [];
  readonly #waiters = new Set<Waiter>();
  /** The command that was answered before the oldest one. */
  #overtaking: Exchange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #failure: FtpullError | undefined;
  #interruption: Error | undefined;
  #brokePipelining = false;

  /** `onBroken` is called when a reply is overdue or breaks the protocol. */
  constructor(transcript: Transcript, timeoutMs: number, onBroken: (reason: FtpullError) => void) {
    this.#transcript = transcript;
    this.#timeoutMs = timeoutMs;
    this.#onBroken = onBroken;
  }

  /** Why no further reply will come; undefined while one may. */
  get failure(): FtpullError | undefined {
    return this.#failure;
  }

  get brokePipelining(): boolean {
    return this.#brokePipelining;
  }

  /** Adds a command that is sent now; the transcript shows it when it is the oldest one. */
  add(command: SentCommand): Exchange {
    const exchange = new Exchange(command, this);
    if (this.#failure !== undefined) return exchange;
    this.#transcript.hide(command.line);
    this.#pending.push(exchange);
    if (this.#pending.length === 1) this.#show(exchange);
    return exchange;
  }

  /** Assigns a reply to its command; false if the reply is unsolicited. */
  receive(text: string): boolean {
    const reply = this.#transcript.read(text);
    const oldest = this.#pending[0];
    const behind = this.#pending[1];
    const owner = oldest && this.#ownerOf(oldest, reply);
    if (owner === "next" && behind !== undefined) this.#show(behind);
    this.#transcript.reply(reply);
    if (oldest === undefined) this.#endBy(reply);
    else if (owner === "unknown") this.#breakOff(outOfOrder(reply));
    else if (owner === "next" && behind !== undefined) this.#overtake(behind, reply);
    else if (owner === "swap" && this.#overtaking) this.#swap(oldest, this.#overtaking, reply);
    else this.#settle(oldest, reply);
    return oldest !== undefined;
  }

  wait(exchange: Exchange, wants: Waiter["wants"], isPatient = false): Promise<Reply> {
    if (this.#interruption !== undefined) return Promise.reject(this.#interruption);
    const reply = wants === "first" ? (exchange.first ?? exchange.final) : exchange.final;
    if (reply !== undefined) return Promise.resolve(reply);
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiters.add({ exchange, wants, isPatient, resolve, reject });
      this.#restartTimer();
    });
  }

  /** Rejects all waits but those for replies that have arrived. The first error wins. */
  fail(error: FtpullError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    const unanswered = this.#pending.filter(({ command }) => command.line !== "QUIT");
    this.#brokePipelining ||= error.kind === "network" && unanswered.length > 1;
    this.#rejectAll(error);
  }

  /** Rejects all waits with `reason`, also those that begin before `resume`. */
  interrupt(reason: Error): void {
    this.#interruption = reason;
    this.#rejectAll(reason);
  }

  resume(): void {
    this.#interruption = undefined;
  }

  #ownerOf({ command: { ownerOf }, first }: Exchange, reply: Reply): Owner {
    if (ownerOf === undefined) return "this";
    return ownerOf(reply, {
      hasOthers: this.#pending.length > 1,
      hasBegun: first !== undefined,
      isOvertaken: this.#overtaking !== undefined,
    });
  }

  #settle(exchange: Exchange, reply: Reply): void {
    exchange.first ??= reply;
    if (!isPreliminary(reply)) {
      exchange.final = reply;
      this.#pending.shift();
      this.#overtaking = undefined;
      const oldest = this.#pending[0];
      if (oldest !== undefined) this.#show(oldest);
    } else if (++exchange.preliminaries > mostPreliminaries) {
      const text = "the server goes on sending preliminary replies";
      return this.#breakOff(new FtpullError("protocol", text));
    }
    this.#handOn(exchange, reply);
  }

  #overtake(exchange: Exchange, reply: Reply): void {
    exchange.first ??= reply;
    exchange.final = reply;
    exchange.isEarly = true;
    this.#overtaking = exchange;
    this.#pending.splice(1, 1);
    this.#handOn(exchange, reply);
  }

  /** Swaps two replies: the one that seemed to come early was that to the oldest command. */
  #swap(oldest: Exchange, overtaking: Exchange, reply: Reply): void {
    const earlier = overtaking.final ?? reply;
    overtaking.final = reply;
    this.#settle(oldest, earlier);
  }

  #handOn(exchange: Exchange, reply: Reply): void {
    for (const waiter of this.#waiters) {
      const awaited = waiter.wants === "first" ? exchange.first : exchange.final;
      if (waiter.exchange !== exchange || awaited === undefined) continue;
      this.#waiters.delete(waiter);
      waiter.resolve(awaited);
    }
    this.#restartTimer();
    this.#endBy(reply);
  }

  /** 421 may come as the reply to any command or to none (RFC 959 §5.4): the session is over. */
  #endBy(reply: Reply): void {
    if (reply.code === replyCode.serviceNotAvailable)
      this.fail(new ReplyError("the server ended the session", reply));
  }

  #breakOff(reason: FtpullError): void {
    this.#brokePipelining ||= reason.kind === "network";
    this.#onBroken(reason);
  }

  /** One timer serves all waits: a new one for each reply would cost more. */
  #restartTimer(): void {
    if (this.#timeoutMs === 0 || this.#failure !== undefined) return;
    this.#timer ??= setTimeout(() => this.#endSilence(), this.#timeoutMs);
    this.#timer.refresh();
  }

  #endSilence(): void {
    if ([...this.#waiters].every(({ isPatient }) => isPatient)) return;
    const silence = `the server sent no reply for ${this.#timeoutMs / 1000} s`;
    this.#onBroken(new NetworkFailure(silence));
  }

  #rejectAll(error: Error): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.reject(error);
  }

  #show({ command }: Exchange): void {
    if (command.line !== "") this.#transcript.command(command.line);
  }
}

function outOfOrder(reply: Reply): NetworkFailure {
  return new NetworkFailure(`the server doesn't answer in order: ${quoteReply(reply)}`);
}
