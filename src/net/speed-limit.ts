/** --speed-limit: a server that sends less for so long has stalled. */
import { clockMs } from "../clock.ts";
import { NetworkFailure } from "../errors.ts";
import { formatRate } from "../text/units.ts";

/** Measures the rate of one connection. Only the time between `wait` and `received` counts: the receiver may be slow. */
export interface Pace {
  wait(): void;
  received(octets: number): void;
}

export class SpeedLimit {
  readonly #octetsPerSecond: number;
  readonly patienceMs: number;
  readonly #now: () => number;

  constructor(octetsPerSecond: number, patienceMs: number, now = clockMs) {
    this.#octetsPerSecond = octetsPerSecond;
    this.patienceMs = patienceMs;
    this.#now = now;
  }

  pace(fail: (stalled: NetworkFailure) => void): Pace {
    let octets = 0;
    let waitedMs = 0;
    let waitingSinceMs: number | undefined; // The wait for the first octet has -T's limit.
    return {
      wait: () => {
        waitingSinceMs = this.#now();
      },
      received: (length) => {
        const silenceMs = waitingSinceMs === undefined ? 0 : this.#now() - waitingSinceMs;
        waitingSinceMs = undefined;
        octets += length;
        // A longer silence would have ended the connection: the process was stopped meanwhile.
        if (silenceMs < this.patienceMs) waitedMs += silenceMs;
        if (waitedMs < this.patienceMs) return;
        const words = `slower than ${formatRate(this.#octetsPerSecond)} for ${this.patienceMs / 1000} s`;
        if (octets < (this.#octetsPerSecond * waitedMs) / 1000) fail(new NetworkFailure(words));
        octets = 0;
        waitedMs = 0;
      },
    };
  }
}
