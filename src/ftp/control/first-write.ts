/**
 * Finds out whether a server reads all commands of a write: a probe tells one that drops them from
 * a slow one.
 */
import { clockMs } from "../../clock.ts";
import { TimeLimit } from "../../net/deadline.ts";
import type { Command } from "../state.ts";
import { isNegative, type Reply } from "./reply.ts";

/** Servers that drop the other commands answer this one before them. */
export type Probe = "NOOP" | "QUIT";

/** Time for the second reply, added to three times that of the first. */
const overdueMs = 1000;

export class FirstWrite {
  readonly #doubt: (probe: Probe) => void;
  #begunMs: number | undefined;
  #patienceMs: number | undefined;
  /** Replies that only commands of the write can have; the second one is the proof. */
  #proofs = 0;
  isProbed = false;
  #limit: TimeLimit | undefined;

  constructor(doubt: (probe: Probe) => void) {
    this.#doubt = doubt;
  }

  get hasBegun(): boolean {
    return this.#begunMs !== undefined;
  }

  begin(): void {
    this.#begunMs ??= clockMs();
  }

  /** Called after a final reply; `oldest` is the next command without one. */
  answered(reply: Reply, oldest: Pick<Command, "line" | "codes"> | undefined): void {
    this.end();
    if (this.#begunMs === undefined || oldest === undefined) return;
    // A refusal may be the reply to the probe.
    if (!this.isProbed || !isNegative(reply)) this.#proofs++;
    if (this.#proofs > 1 || oldest.line === "QUIT") return;
    this.#patienceMs ??= overdueMs + 3 * (clockMs() - this.#begunMs);
    this.#limit = new TimeLimit(this.#patienceMs, () => this.#probe(oldest.codes));
    this.#limit.restart();
  }

  end(): void {
    this.#limit?.stop();
  }

  #probe(codes: readonly number[]): void {
    const isMistakable = this.isProbed || codes.includes(200);
    this.isProbed = true;
    this.#doubt(isMistakable ? "QUIT" : "NOOP");
  }
}
