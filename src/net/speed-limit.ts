/** --speed-limit: a server that sends less for so long has stalled. */
import { clockMs } from "../clock.ts";
import { NetworkFailure } from "../errors.ts";
import { formatRate } from "../text/units.ts";
import type { Sink } from "./rate-limit.ts";

export interface Pace {
  readonly sink: Sink;
  /** Counts the time while a TLS record arrives, which can't be decrypted yet. */
  readonly look: () => void;
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

  /** The pace of one connection throws NetworkFailure. Only the time between chunks counts: `sink` may be slow. */
  around(sink: Sink): Pace {
    let octets = 0;
    let waitedMs = 0;
    let since = Infinity; // The first octet has -T's limit.
    const goOn = (): void => void (since = this.#now());
    const count = (length: number): void => {
      const silenceMs = Math.max(0, this.#now() - since);
      octets += length;
      // A longer silence would have ended the connection: the process was stopped meanwhile.
      if (silenceMs < this.patienceMs) waitedMs += silenceMs;
      if (waitedMs < this.patienceMs) return;
      const stalled = `slower than ${formatRate(this.#rate)} for ${this.patienceMs / 1000} s`;
      if (octets < (this.#rate * waitedMs) / 1000) throw new NetworkFailure(stalled);
      octets = waitedMs = 0;
    };
    return {
      sink: (chunk) => {
        count(chunk.length);
        const taken = sink(chunk);
        return taken === undefined ? goOn() : taken.then(goOn);
      },
      look: () => {
        count(0);
        goOn();
      },
    };
  }
}
