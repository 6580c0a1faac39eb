/** A command of a control connection, with its replies. */
import { NetworkFailure } from "../../errors.ts";
import type { Command } from "../state.ts";
import type { Reply } from "./reply.ts";

export type SentCommand = Pick<Command, "line" | "codes" | "form">;

/**
 * A reply that its command can't have, or that is overdue, where commands have shared a write: which reply is whose
 * isn't known any more, and none of the session's counts.
 */
export class Misplaced extends NetworkFailure {}

export interface ExchangeQueue {
  wait(arrived: () => Reply | undefined, limit: WaitLimit): Promise<Reply>;
}

export type WaitLimit = "timeout" | "unlimited";

export class Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly isShared: boolean;
  readonly #queue: ExchangeQueue;
  first: Reply | undefined;
  final: Reply | undefined;

  constructor(command: C, isShared: boolean, queue: ExchangeQueue) {
    this.command = command;
    this.isShared = isShared;
    this.#queue = queue;
  }

  firstReply(): Promise<Reply> {
    return this.#queue.wait(() => this.first, "timeout");
  }

  finalReply(limit: WaitLimit = "timeout"): Promise<Reply> {
    return this.#queue.wait(() => this.final, limit);
  }
}
