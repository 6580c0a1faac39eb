/** Measures how far a transfer has come, and how fast. */
import type { DocumentStart } from "../documents/events.ts";

/**
 * A measurement: `position` counts the file's bytes that are here, with those of an earlier run; `rate` is in bytes
 * per second, and undefined in the first moments.
 */
export interface MeterReading {
  readonly position: number;
  readonly size: number | undefined;
  readonly rate: number | undefined;
  readonly elapsedSeconds: number;
}

/** A rate over 5 s is steady to read, and a stall shows soon. */
const windowMs = 5000;
const leastRateMs = 500;

/** A file that is fetched now. */
export interface Running extends DocumentStart {
  readonly meter: Meter;
}

export class Meter {
  position: number;
  readonly #size: number | undefined;
  readonly #now: () => number;
  readonly #begunMs: number;
  /** Earlier readings, oldest first: within `windowMs` before the last one, and one older, where the rate begins. */
  readonly #samples: { readonly atMs: number; readonly position: number }[];

  constructor({ size, offset }: { size: number | undefined; offset: number }, now: () => number) {
    this.position = offset;
    this.#size = size;
    this.#now = now;
    this.#begunMs = now();
    this.#samples = [{ atMs: this.#begunMs, position: offset }];
  }

  reading(): MeterReading {
    const { position } = this;
    const atMs = this.#now();
    while ((this.#samples[1]?.atMs ?? Infinity) <= atMs - windowMs) this.#samples.shift();
    this.#samples.push({ atMs, position });
    const first = this.#samples[0]!;
    const bytes = Math.max(0, position - first.position);
    const ms = atMs - first.atMs;
    return {
      position,
      size: this.#size,
      rate: ms < leastRateMs ? undefined : (bytes / ms) * 1000,
      elapsedSeconds: (atMs - this.#begunMs) / 1000,
    };
  }
}
