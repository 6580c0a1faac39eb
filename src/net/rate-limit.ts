/**
 * --limit-rate: data connections are read no faster than this, all of them together. What
 * isn't read fills the socket's window, and so the server is held back.
 */

/** Takes octets in order; nothing more is read until the promise is settled. */
type Sink = (chunk: Buffer) => void | Promise<void>;

/** Time as a rate limit sees it; in milliseconds since any moment, never going back. */
export interface Clock {
  now(): number;
  /** Resolves after so many milliseconds, or earlier where nobody waits any more. */
  delay(milliseconds: number): Promise<void>;
}

/** Time not used is saved up for so long: enough for late timers, too little to be seen as a burst. */
const savedMs = 250;
/** A debt smaller than this isn't worth a timer. */
const negligibleMs = 4;
/** Waits of this length follow each other so closely that a progress bar moves smoothly. */
const stepMs = 50;

/** A bucket of time: every octet takes its share of it, and whoever finds it empty waits. */
export class RateLimit {
  readonly #msPerOctet: number;
  readonly #clock: Clock;
  /** When the octets of the past have had their time. */
  #free: number;

  /** `rate` is in octets a second. */
  constructor(rate: number, clock: Clock) {
    this.#msPerOctet = 1000 / rate;
    this.#clock = clock;
    this.#free = clock.now();
  }

  /** How many octets to read at once, so that no single wait is long. */
  get readSize(): number {
    return Math.max(1, Math.floor(stepMs / this.#msPerOctet));
  }

  /** Takes note of octets that were read; a promise is for when the next may be. */
  take(octets: number): void | Promise<void> {
    const now = this.#clock.now();
    this.#free = Math.max(this.#free, now - savedMs) + octets * this.#msPerOctet;
    const debt = this.#free - now;
    return debt < negligibleMs ? undefined : this.#clock.delay(debt);
  }

  /** A sink that hands everything on at once, and then keeps the reader waiting. */
  around(sink: Sink): Sink {
    return (chunk) => {
      const taken = sink(chunk);
      const wait = this.take(chunk.length);
      if (taken === undefined || wait === undefined) return taken ?? wait;
      return Promise.all([taken, wait]).then(() => undefined);
    };
  }
}
