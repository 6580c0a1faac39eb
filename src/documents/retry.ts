/**
 * Tries of one file: the only place that counts failures and tries again. Sessions have tries of their own
 * (ftp/server-sessions.ts), which are used up before a failure gets here.
 */
import { FtpullError, hasReason, toFtpullError } from "../errors.ts";
import { nextTry, type RetryPolicy } from "../tries.ts";

export interface Repeatable<T> {
  run(): Promise<T>;
  /** Rises with all that has come since the last beginning. */
  readonly reached: number;
  beginAgain(because: string): boolean;
  say(text: string): void;
}

/** Thrown if a transfer has to begin again: not a failed try, but limited to the same number. */
export function beginAgain(because: string): FtpullError {
  return new FtpullError("integrity", because, { reason: "begin again" });
}

export async function retry<T>(attempt: Repeatable<T>, policy: RetryPolicy): Promise<T> {
  let failures = 0;
  let beginnings = 0;
  let furthest: number | undefined;
  for (;;) {
    try {
      return await attempt.run();
    } catch (thrown) {
      const error = toFtpullError(thrown);
      if (hasReason(error, "begin again")) {
        const next = nextTry(beginnings, policy);
        if (next === undefined || !attempt.beginAgain(error.message)) throw error;
        if (beginnings++ > 0) await policy.wait(next.waitMs);
        furthest = undefined;
        continue;
      }
      const { reached } = attempt;
      failures = furthest !== undefined && reached > furthest ? 1 : failures + 1;
      furthest = reached;
      const next = error.transient ? nextTry(failures, policy) : undefined;
      if (next === undefined) throw error;
      attempt.say(`${error.message}; ${next.words}`);
      await policy.wait(next.waitMs);
    }
  }
}
