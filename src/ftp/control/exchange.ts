/** A command of a control connection, with its replies. */
import { type FtpullError, NetworkFailure } from "../../errors.ts";
import type { Command } from "../state.ts";
import { isCompletion, isPreliminary, type Reply } from "./reply.ts";

export type SentCommand = Pick<Command, "line" | "codes" | "form" | "isProbe">;

/** A reply came to no command, or to another one: none of the session's replies counts. */
export class Misplaced extends NetworkFailure {}

export interface ExchangeQueue {
  readonly failure: FtpullError | undefined;
  wait(arrived: () => Reply | undefined, isPatient?: boolean): Promise<Reply>;
}

export class Exchange<C extends SentCommand = SentCommand> {
  readonly command: C;
  readonly #queue: ExchangeQueue;
  first: Reply | undefined;
  final: Reply | undefined;
  preliminaries = 0;
  isAnsweredEarly = false;
  /** True after a refusal that was taken for the reply to the next command. */
  mayBeRefused = false;

  constructor(command: C, queue: ExchangeQueue) {
    this.command = command;
    this.#queue = queue;
  }

  firstReply(): Promise<Reply> {
    return this.#queue.wait(() => this.#counted(this.first));
  }

  /** If `isPatient`, without a limit of time. @throws FtpullError if the connection is lost; Interrupted */
  finalReply(isPatient = false): Promise<Reply> {
    return this.#queue.wait(() => this.#counted(this.final), isPatient);
  }

  /** After a misplaced reply none counts, except those of a transfer that had ended before it. */
  #counted(reply: Reply | undefined): Reply | undefined {
    const { first, final } = this;
    const hasEnded = first && isPreliminary(first) && final && isCompletion(final);
    return hasEnded || !(this.#queue.failure instanceof Misplaced) ? reply : undefined;
  }
}
