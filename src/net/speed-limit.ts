/** --speed-limit: a server that sends less for so long has stalled. */
import { clockMs } from "../clock.ts";
import { NetworkFailure } from "../errors.ts";
import { formatRate } from "../text/units.ts";

/** Only the time between `wait` and `received` counts: what takes the octets may be slow. */
export interface Pace {
  wait(): void;
  received(octets: number): void;
}

export class SpeedLimit {
  readonly #rate: number;
  readonly patienceMs: number;
  readonly #now: () => number;

  constructor(octetsPerSecond: number, patienceMs: number, now = clockMs) {
    this.#rate = octetsPerSecond;
    this.patienceMs = patienceMs;
    this.#now = now;
  }

  /** The pace of one connection, which calls `fail` if that has stalled. */
  pace(fail: (stalled: NetworkFailure) => void): Pace {
    let octets = 0;
    let waitedMs = 0;
    let since = Infinity; // The first octet has -T's limit.
    return {
      wait: () => void (since = this.#now()),
      received: (length) => {
        const silenceMs = Math.max(0, this.#now() - since);
        since = Infinity;
        octets += length;
        // A longer silence would have ended the connection: the process was stopped meanwhile.
        if (silenceMs < this.patienceMs) waitedMs += silenceMs;
        if (waitedMs < this.patienceMs) return;
        const words = `slower than ${formatRate(this.#rate)} for ${this.patienceMs / 1000} s`;
        if (octets < (this.#rate * waitedMs) / 1000) fail(new NetworkFailure(words));
        octets = waitedMs = 0;
      },
    };
  }
}
