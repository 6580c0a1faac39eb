/**
 * Tries in a row and the waits between them: those of a server's sessions, which
 * ftp/server-sessions.ts counts, and those of a document, which documents/retry.ts counts.
 */
import { setTimeout as delay } from "node:timers/promises";
import { clockMs } from "./clock.ts";

export interface RetryPolicy {
  /** Tries in a row without success or progress; 0 means no limit. */
  readonly tries: number;
  /** Rejects when the run is interrupted. */
  readonly wait: (milliseconds: number) => Promise<void>;
  /** From 0 to 1; spreads the waits of many clients. */
  readonly random: () => number;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
}

/** The policy of a run, with real waits and random numbers. */
export function retryPolicy(tries: number, signal: AbortSignal): RetryPolicy {
  return {
    tries,
    random: Math.random,
    now: clockMs,
    wait: async (milliseconds) => {
      await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  };
}

/** What follows the `failures`th failure in a row; undefined after the last try. */
export function nextTry(
  failures: number,
  { tries, random }: Pick<RetryPolicy, "tries" | "random">,
  firstMs = 1000,
): { readonly waitMs: number; readonly words: string } | undefined {
  if (tries !== 0 && failures >= tries) return undefined;
  const waitMs = backoff(failures, random(), firstMs);
  const left = tries - failures;
  const remaining = tries === 0 ? "" : ` (${left} ${left === 1 ? "try" : "tries"} left)`;
  return { waitMs, words: `trying again in ${(waitMs / 1000).toFixed(1)} s${remaining}` };
}

/** The wait after so many failures: 1, 2, 4 ... 30 s, less up to a fifth by `random`. */
export function backoff(failures: number, random: number, firstMs = 1000): number {
  const longest = Math.min(30_000, firstMs * 2 ** (failures - 1));
  return Math.round(longest * (1 - 0.2 * random));
}
