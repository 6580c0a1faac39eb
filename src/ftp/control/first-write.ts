/**
 * Finds out whether a server reads all commands of a write: if replies are overdue, a probe shows
 * whether the server has dropped the commands or is slow.
 */
import { clockMs } from "../../clock.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { Command } from "../state.ts";
import { isNegative, type Reply } from "./reply.ts";

/** A command sent in a write of its own: a server that has dropped the commands before it answers at once. */
export type Probe = "NOOP" | "QUIT";

const leastPatienceMs = 1000;

export class FirstWrite {
  readonly #doubt: (probe: Probe) => void;
  #begunAtMs: number | undefined;
  #patienceMs: number | undefined;
  #certainReplies = 0;
  isProbed = false;
  #limit: TimeLimit | undefined;

  constructor(doubt: (probe: Probe) => void) {
    this.#doubt = doubt;
  }

  get hasBegun(): boolean {
    return this.#begunAtMs !== undefined;
  }

  get isInDoubt(): boolean {
    return this.isProbed && !this.isReadOn;
  }

  /** True once two replies have come: the server reads the commands behind the first one. */
  get isReadOn(): boolean {
    return this.#certainReplies > 1;
  }

  /** True if one reply has come, which may be the only one: the server may have dropped the rest. */
  get hasOneReply(): boolean {
    return this.#certainReplies === 1;
  }

  begin(): void {
    this.#begunAtMs ??= clockMs();
  }

  answered(finalReply: Reply, unanswered: Pick<Command, "line" | "codes"> | undefined): void {
    this.end();
    if (this.#begunAtMs === undefined) return;
    const mayBeToProbe = this.isProbed && isNegative(finalReply);
    if (!mayBeToProbe) this.#certainReplies++;
    if (this.isReadOn || unanswered === undefined || unanswered.line === "QUIT") return;
    this.#patienceMs ??= leastPatienceMs + 3 * (clockMs() - this.#begunAtMs);
    this.#limit = new TimeLimit(this.#patienceMs, () => this.#probe(unanswered.codes));
    this.#limit.restart();
  }

  end(): void {
    this.#limit?.stop();
  }

  #probe(overdueCodes: readonly number[]): void {
    const isNoopReplyMistakable = this.isProbed || overdueCodes.includes(200);
    this.isProbed = true;
    this.#doubt(isNoopReplyMistakable ? "QUIT" : "NOOP");
  }
}
