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

export type WaitLimit = "timeout" | "unlimited";

/** Resolves with the reply once it has arrived. */
type Wait = (arrived: () => Reply | undefined, limit: WaitLimit) => Promise<Reply>;

export class Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly isShared: boolean;
  readonly #wait: Wait;
  first: Reply | undefined;
  final: Reply | undefined;

  constructor(command: C, isShared: boolean, wait: Wait) {
    this.command = command;
    this.isShared = isShared;
    this.#wait = wait;
  }

  firstReply(): Promise<Reply> {
    return this.#wait(() => this.first, "timeout");
  }

  finalReply(limit: WaitLimit = "timeout"): Promise<Reply> {
    return this.#wait(() => this.final, limit);
  }
}
