/** The tries to open a session of one server, which all files that wait for it share. */
import type { FtpullError } from "../errors.ts";
import { nextTry, type RetryPolicy } from "../tries.ts";
import { HungUpAtQuestion, LostAtPassword } from "./credentials.ts";

/** A server that bans clients for wrong passwords counts those that come within a second. */
const leastWaitAtPasswordMs = 1000;

/** Logs a line about a server. */
export type Log = (text: string) => void;

export class ServerTries {
  readonly #policy: RetryPolicy;
  readonly #log: Log;
  #failures = 0;
  /** The last failure, once the tries are used up. */
  givenUp: FtpullError | undefined;

  constructor(policy: RetryPolicy, log: Log) {
    this.#policy = policy;
    this.#log = log;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** Counts a failure, and waits before the next try. One of pipelining costs nothing: single commands follow. */
  async failed(error: FtpullError, brokePipelining: boolean): Promise<void> {
    const isPasswordLost = error instanceof LostAtPassword;
    if (brokePipelining && error.transient && !isPasswordLost) return;
    if (error instanceof HungUpAtQuestion) return; // The next try has the answer.
    const next = error.transient ? nextTry(++this.#failures, this.#policy) : undefined;
    if (next === undefined) {
      this.givenUp = error.with({ transient: false });
      return;
    }
    this.#log(`${error.message}; ${next.words}`);
    const leastMs = isPasswordLost ? leastWaitAtPasswordMs : 0;
    // An interruption is noticed by the callers.
    await this.#policy.wait(Math.max(leastMs, next.waitMs)).catch(() => undefined);
  }
}
