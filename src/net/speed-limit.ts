/** --speed-limit: a server that sends less, for so long, has stalled. */
import { clockMs } from "../clock.ts";
import { NetworkFailure } from "../errors.ts";
import { formatRate } from "../text/units.ts";
import type { Sink } from "./rate-limit.ts";

export class SpeedLimit {
  readonly #rate: number;
  /** How long a server may be slower, or silent. */
  readonly patienceMs: number;
  readonly #now: () => number;

  /** `rate` is in octets per second. */
  constructor(rate: number, patienceMs: number, now = clockMs) {
    this.#rate = rate;
    this.patienceMs = patienceMs;
    this.#now = now;
  }

  /**
   * A sink for one connection, which throws NetworkFailure. Only the time between chunks counts: the
   * sink that it passes them to may be slow.
   */
  around(sink: Sink): Sink {
    let octets = 0;
    let waitedMs = 0;
    let since = Infinity; // the first octet is -T's matter
    const goOn = (): void => void (since = this.#now());
    return (chunk) => {
      octets += chunk.length;
      waitedMs += Math.max(0, this.#now() - since);
      if (waitedMs >= this.patienceMs) {
        if (octets < (this.#rate * waitedMs) / 1000) throw this.#stalled();
        octets = waitedMs = 0;
      }
      const taken = sink(chunk);
      return taken === undefined ? goOn() : taken.then(goOn);
    };
  }

  #stalled(): NetworkFailure {
    return new NetworkFailure(
      `slower than ${formatRate(this.#rate)} for ${this.patienceMs / 1000} s`,
    );
  }
}
