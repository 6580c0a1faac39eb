/** --limit-rate: reading is delayed, which fills the TCP window and so slows the server down. */
import type { RetryPolicy } from "../tries.ts";

/**
 * Takes octets in order. Once the call has returned, or the promise that it returns has settled,
 * reading goes on, and may use the chunk's buffer again.
 */
export type Sink = (chunk: Buffer) => void | Promise<void>;

type Clock = Pick<RetryPolicy, "now" | "wait">;

/** Unused time that is saved: enough for late timers, too little for a noticeable burst. */
const savedMs = 250;
/** A shorter wait is left out: the next one is longer by it. */
const negligibleMs = 4;
/** The longest wait for one read, short enough for a progress bar to move smoothly. */
const stepMs = 50;

/**
 * A token bucket in which the tokens are time: each octet costs `#msPerOctet`, and the octets so far use the rate
 * up until `#usedUpToMs`.
 */
export class RateLimit {
  readonly #msPerOctet: number;
  readonly #clock: Clock;
  #usedUpToMs: number;

  constructor(octetsPerSecond: number, clock: Clock) {
    this.#msPerOctet = 1000 / octetsPerSecond;
    this.#clock = clock;
    this.#usedUpToMs = clock.now();
  }

  get readSize(): number {
    return Math.max(1, Math.floor(stepMs / this.#msPerOctet));
  }

  pauseAfter(octets: number): void | Promise<void> {
    const now = this.#clock.now();
    this.#usedUpToMs = Math.max(this.#usedUpToMs, now - savedMs) + octets * this.#msPerOctet;
    const debt = this.#usedUpToMs - now;
    // After an interruption nothing is left to slow down.
    return debt < negligibleMs ? undefined : this.#clock.wait(debt).catch(() => undefined);
  }

  slowed(sink: Sink): Sink {
    return (chunk) => {
      const taken = sink(chunk);
      const wait = this.pauseAfter(chunk.length);
      if (taken === undefined) return wait;
      if (wait === undefined) return taken;
      return Promise.all([taken, wait]).then(() => undefined);
    };
  }
}
