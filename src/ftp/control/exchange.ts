/** A command of a control connection, with its replies. */
import { type FtpullError, NetworkFailure } from "../../errors.ts";
import type { Command } from "../state.ts";
import { isCompletion, isPreliminary, type Reply } from "./reply.ts";

export type SentCommand = Pick<Command, "line" | "codes" | "form" | "isProbe">;

/** A reply came that fits no command sent: none of the session's replies counts. */
export class Misplaced extends NetworkFailure {}

export interface ExchangeQueue {
  readonly failure: FtpullError | undefined;
  /** The command whose refusal may be the answer to a probe of the first write, until a further reply comes. */
  readonly doubtful: Exchange | undefined;
  wait(arrived: () => Reply | undefined, limit: WaitLimit): Promise<Reply>;
}

export type WaitLimit = "timeout" | "unlimited";

export class Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly #queue: ExchangeQueue;
  first: Reply | undefined;
  final: Reply | undefined;
  preliminaries = 0;
  isAnsweredEarly = false;
  /** True if the probe behind this command got a refusal early: it may have been this command's. */
  mayHaveBeenRefused = false;

  constructor(command: C, queue: ExchangeQueue) {
    this.command = command;
    this.#queue = queue;
  }

  firstReply(): Promise<Reply> {
    return this.#queue.wait(() => this.#counted(this.first), "timeout");
  }

  finalReply(limit: WaitLimit = "timeout"): Promise<Reply> {
    return this.#queue.wait(() => this.#counted(this.final), limit);
  }

  /** Undefined after a misplaced reply, except for a transfer that had ended before it. */
  #counted(reply: Reply | undefined): Reply | undefined {
    const { failure, doubtful } = this.#queue;
    if (failure === undefined) return this === doubtful ? undefined : reply;
    const isInDoubt = failure instanceof Misplaced;
    return isInDoubt && !this.#isEndedTransfer ? undefined : reply;
  }

  get #isEndedTransfer(): boolean {
    const { first, final } = this;
    if (first === undefined || final === undefined) return false;
    return isPreliminary(first) && isCompletion(final);
  }
}
