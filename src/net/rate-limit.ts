/** --limit-rate: reading is delayed, which fills the TCP window and so slows the server down. */

/** Takes octets in order; reading pauses until the promise is settled. */
export type Sink = (chunk: Buffer) => void | Promise<void>;

export interface Clock {
  now(): number;
  /** May resolve earlier once its result is no longer needed. */
  delay(milliseconds: number): Promise<void>;
}

/** Unused time that is saved: enough for late timers, too little for a noticeable burst. */
const savedMs = 250;
const negligibleMs = 4;
/** The longest wait for one read, short enough for a progress bar to move smoothly. */
const stepMs = 50;

/** A token bucket in which the tokens are time: each octet costs `#msPerOctet`. */
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

  count(octets: number): void | Promise<void> {
    const now = this.#clock.now();
    this.#usedUpToMs = Math.max(this.#usedUpToMs, now - savedMs) + octets * this.#msPerOctet;
    const debt = this.#usedUpToMs - now;
    return debt < negligibleMs ? undefined : this.#clock.delay(debt);
  }

  around(sink: Sink): Sink {
    return (chunk) => {
      const taken = sink(chunk);
      const wait = this.count(chunk.length);
      if (taken === undefined || wait === undefined) return taken ?? wait;
      return Promise.all([taken, wait]).then(() => undefined);
    };
  }
}
