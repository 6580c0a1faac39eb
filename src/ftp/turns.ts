/** The turns of the documents of one server: each but the first begins after the pause of --wait. */
import type { RetryPolicy } from "../tries.ts";

export class Turns {
  readonly #policy: Pick<RetryPolicy, "wait" | "pauseMs">;
  #last: Promise<void> | undefined;

  constructor(policy: Pick<RetryPolicy, "wait" | "pauseMs">) {
    this.#policy = policy;
  }

  next(): Promise<void> {
    const next =
      this.#last === undefined ? Promise.resolve() : this.#last.then(() => this.#pause());
    this.#last = next;
    return next;
  }

  async #pause(): Promise<void> {
    const { wait, pauseMs } = this.#policy;
    if (pauseMs) await wait(pauseMs);
  }
}
