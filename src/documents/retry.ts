/**
 * Retries: the only place that repeats a failed attempt. Lower layers report the first failure. What
 * a further try builds on is decided in file/retrieve.ts and file/resume.ts.
 */
import { setTimeout as delay } from "node:timers/promises";
import { FtpullError, Interrupted, isOutOfFiles, toFtpullError, Unreachable } from "../errors.ts";
import { Reachability } from "./queue/reachability.ts";

export interface RetryPolicy {
  /** Tries in a row without progress; 0 means no limit. */
  readonly tries: number;
  readonly reachability: Reachability;
  /** Rejects when the run is interrupted. */
  wait(milliseconds: number): Promise<void>;
  /** From 0 to 1; spreads the waits of many clients. */
  random(): number;
}

export interface Attempt<T> {
  /** Host and port. */
  readonly server: string;
  run(): Promise<T>;
  /** How many octets all tries have brought; more than before is progress. */
  progress(): number;
  /** Prepares the next try to begin at 0; false if that can't be done. */
  beginAgain(reason: BeginAgain): Promise<boolean>;
  /** Too many open files: waits until other documents are done; false if there are no others. */
  makeRoom(error: FtpullError): Promise<boolean>;
  /** Reports a retry; `remaining` tries is undefined without a limit. */
  retrying(error: FtpullError, remaining: number | undefined, waitMs: number): void;
  /** Reports why the next try, which follows at once, begins at 0. */
  beginningAgain(because: string): void;
}

/** Thrown if a transfer has to begin again, which doesn't count as a failed try. */
export class BeginAgain extends FtpullError {
  /** Whether stored octets stay until the document comes again: the server may refuse it. */
  readonly keeps: boolean;

  /** `because` is the message where beginning again is impossible. */
  constructor(because: string, { keeps = true } = {}) {
    super("integrity", because);
    this.keeps = keeps;
  }
}

/** The policy of a run, with real waits and random numbers. */
export function retryPolicy(tries: number, signal: AbortSignal): RetryPolicy {
  return {
    tries,
    reachability: new Reachability(),
    random: Math.random,
    wait: async (milliseconds) => {
      await delay(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
    },
  };
}

/** Repeats an attempt until success, a permanent failure or the last try. @throws its last error */
export async function retry<T>(attempt: Attempt<T>, policy: RetryPolicy): Promise<T> {
  const { tries, reachability } = policy;
  const { server } = attempt;
  const verdict = reachability.verdict(server);
  if (verdict !== undefined) throw verdict;
  let failures = 0;
  let furthest = 0;
  let last: FtpullError | undefined;
  for (;;) {
    try {
      const result = await attempt.run();
      reachability.reached(server);
      return result;
    } catch (thrown) {
      if (thrown instanceof Interrupted) throw thrown;
      const error = toFtpullError(thrown);
      if (isOutOfFiles(error)) {
        if (await attempt.makeRoom(error)) continue;
        throw error;
      }
      const unreachable = error instanceof Unreachable ? error : undefined;
      if (unreachable === undefined) reachability.reached(server);
      if (error instanceof BeginAgain) {
        if (!(await attempt.beginAgain(error))) throw unrepaired(error, last);
        attempt.beginningAgain(error.message);
        continue;
      }
      last = error;
      failures = attempt.progress() > furthest ? 1 : failures + 1;
      furthest = Math.max(furthest, attempt.progress());
      const isHopeless = unreachable && !reachability.isWorthAnotherTry(server, unreachable);
      if (!error.transient || failures === tries || isHopeless) {
        if (unreachable !== undefined) reachability.giveUp(server, unreachable);
        throw error;
      }
      const waitMs = backoff(failures, policy.random());
      const remaining = tries === 0 ? undefined : tries - failures;
      attempt.retrying(error, remaining, waitMs);
      await policy.wait(waitMs);
    }
  }
}

/** The failure that broke the transfer, with the reason why it can't be resumed. */
function unrepaired(reason: BeginAgain, last: FtpullError | undefined): FtpullError {
  if (last === undefined) return reason;
  return new FtpullError(last.kind, `${last.message}; ${reason.message}`, { cause: last });
}

/** The wait after so many failures: 1, 2, 4 ... 30 s, less up to a fifth by `random`. */
export function backoff(failures: number, random: number): number {
  const seconds = Math.min(30, 2 ** (failures - 1));
  return Math.round(seconds * 1000 * (1 - 0.2 * random));
}
