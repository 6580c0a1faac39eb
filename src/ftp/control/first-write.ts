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

/**
 * The replies to the first write so far. After "one reply" the server may have dropped the other commands; once that
 * is "probed", a refusal may be the probe's. "read", or after a probe "read late": the server reads a whole write.
 */
type Progress = "no reply" | "one reply" | "probed" | "read" | "read late";

const leastPatienceMs = 1000;

export class FirstWrite {
  readonly #doubt: (probe: Probe) => void;
  #begunAtMs: number | undefined;
  #patienceMs: number | undefined;
  #progress: Progress = "no reply";
  #limit: TimeLimit | undefined;

  constructor(doubt: (probe: Probe) => void) {
    this.#doubt = doubt;
  }

  get hasBegun(): boolean {
    return this.#begunAtMs !== undefined;
  }

  get hasOneReply(): boolean {
    return this.#progress === "one reply" || this.isInDoubt;
  }

  get isInDoubt(): boolean {
    return this.#progress === "probed";
  }

  get isRead(): boolean {
    return this.#progress === "read" || this.#progress === "read late";
  }

  get wasProbed(): boolean {
    return this.isInDoubt || this.#progress === "read late";
  }

  begin(): void {
    this.#begunAtMs ??= clockMs();
  }

  answered(finalReply: Reply, unanswered: Pick<Command, "line" | "codes"> | undefined): void {
    this.end();
    if (this.#begunAtMs === undefined) return;
    this.#progress = progressAfter(this.#progress, finalReply);
    if (this.isRead || unanswered === undefined || unanswered.line === "QUIT") return;
    this.#patienceMs ??= leastPatienceMs + 3 * (clockMs() - this.#begunAtMs);
    this.#limit = new TimeLimit(this.#patienceMs, () => this.#probe(unanswered.codes));
    this.#limit.restart();
  }

  end(): void {
    this.#limit?.stop();
  }

  #probe(overdueCodes: readonly number[]): void {
    const isNoopReplyMistakable = this.isInDoubt || overdueCodes.includes(200);
    this.#progress = "probed";
    this.#doubt(isNoopReplyMistakable ? "QUIT" : "NOOP");
  }
}

function progressAfter(progress: Progress, finalReply: Reply): Progress {
  if (progress === "no reply") return "one reply";
  if (progress === "one reply") return "read";
  const mayBeToProbe = isNegative(finalReply);
  return progress === "probed" && !mayBeToProbe ? "read late" : progress;
}
