/**
 * Limits of time: `TimeLimit` for a peer's silence, `within` for a promise, `withLimit` for the work of a socket, such
 * as a handshake.
 */
import { clockMs } from "../clock.ts";
import { networkError } from "../errors.ts";

export interface TimeOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves as `work` does. `socket` is destroyed at any failure, and after `timeoutMs`, unless `work` restarts the
 * limit: the error is `silence`, such as "no answer for", and the seconds.
 */
export async function withLimit<T>(
  socket: { destroy(error?: Error): unknown },
  { timeoutMs, signal }: TimeOptions,
  silence: string,
  work: (limit: TimeLimit) => Promise<T>,
): Promise<T> {
  const limit = new TimeLimit(timeoutMs, () =>
    socket.destroy(networkError(`${silence} ${timeoutMs / 1000} s`)),
  );
  const abort = (): void => void socket.destroy(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    limit.restart();
    signal.throwIfAborted();
    return await work(limit);
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  } finally {
    limit.stop();
    signal.removeEventListener("abort", abort);
  }
}

/** Resolves as `promise` does, or with undefined after `ms`. @throws the reason of `signal` */
export function within<T>(
  ms: number,
  promise: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const limit = new TimeLimit(ms, () => resolve(undefined));
    const abort = (): void => reject(signal?.reason as Error);
    const stop = (): void => {
      limit.stop();
      signal?.removeEventListener("abort", abort);
    };
    signal?.addEventListener("abort", abort);
    limit.restart();
    promise.finally(stop).then(resolve, reject);
  });
}

const lateMs = 1000;

/**
 * Calls `expired` when `ms` have passed since `restart`. Node fires timers before it reads octets
 * that arrived while the process was stopped: this limit reads first, which may call `restart` or
 * `stop`. A timer that fires `lateMs` late shows that the process was stopped, or the machine
 * asleep: the peer has its whole time again.
 */
export class TimeLimit {
  readonly #ms: number;
  readonly #expired: () => void;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #decision: NodeJS.Immediate | undefined;
  #dueMs = 0;

  constructor(ms: number, expired: () => void, now = clockMs) {
    this.#ms = ms;
    this.#expired = expired;
    this.#now = now;
  }

  restart(): void {
    clearImmediate(this.#decision);
    this.#dueMs = this.#now() + this.#ms;
    if (this.#timer === undefined) this.#timer = setTimeout(() => this.#fired(), this.#ms);
    else this.#timer.refresh();
  }

  stop(): void {
    clearImmediate(this.#decision);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fired(): void {
    // The event loop polls sockets between its timers and its immediates.
    this.#decision = setImmediate(() => {
      const isLate = this.#now() - this.#dueMs >= lateMs;
      if (isLate) this.restart();
      else this.#expired();
    });
  }
}
