/** The tries to open a session of one server, which all documents that wait for it share. */
import type { FtpullError } from "../errors.ts";
import { nextTry, type RetryPolicy } from "../tries.ts";
import { HungUpAtQuestion, LostAtPassword } from "./credentials.ts";

const nextTryAfterGivingUpMs = 60_000;

const firstWaitForAnsweringServerMs = 2000;

/** A server that bans clients for wrong passwords counts those that come within a second. */
const leastWaitAtPasswordMs = 1000;

/** With -t 0, too, a server that goes on refusing for good is given up. */
const mostRefusals = 5;

/** Logs a line about a server. */
export type Log = (text: string) => void;

export class ServerTries {
  readonly #policy: RetryPolicy;
  readonly #log: Log;
  #failures = 0;
  #hasAnswered = false;
  #hasLetIn = false;
  #givenUp: { readonly error: FtpullError; readonly sinceMs: number } | undefined;

  constructor(policy: RetryPolicy, log: Log) {
    this.#policy = policy;
    this.#log = log;
  }

  get givenUp(): FtpullError | undefined {
    if (this.#givenUp === undefined) return undefined;
    const { error, sinceMs } = this.#givenUp;
    return this.#policy.now() < sinceMs + nextTryAfterGivingUpMs ? error : undefined;
  }

  succeeded(): void {
    this.#hasAnswered = true;
    this.#hasLetIn = true;
    this.#failures = 0;
    this.#givenUp = undefined;
  }

  async failed(error: FtpullError, brokePipelining: boolean): Promise<void> {
    const isPasswordLost = error instanceof LostAtPassword;
    // The next try sends one command at a time.
    if (brokePipelining && error.transient && !isPasswordLost) return;
    if (error instanceof HungUpAtQuestion) return; // The next try has the answer.
    this.#failures++;
    this.#hasAnswered ||= error.kind === "refused";
    const firstMs = this.#hasAnswered ? firstWaitForAnsweringServerMs : undefined;
    const next = nextTry(this.#failures, this.#policy, firstMs);
    // For a server that is full, an earlier session that was lost here may not have ended yet.
    const mayBeFull = this.#hasLetIn && this.#failures < mostRefusals;
    if (next === undefined || !(error.transient || mayBeFull)) {
      this.#givenUp = { error: error.with({ transient: false }), sinceMs: this.#policy.now() };
      return;
    }
    this.#log(`${error.message}; ${next.words}`);
    const leastMs = isPasswordLost ? leastWaitAtPasswordMs : 0;
    await this.#policy.wait(Math.max(leastMs, next.waitMs)).catch(() => undefined); // An interruption is noticed by the callers.
  }
}
