/** Measures how far a transfer has come, and how fast. */
import type { DocumentStart } from "../documents/events.ts";

/**
 * A measurement: `position` counts the document's octets that are here, with those of an earlier run; `rate` is
 * in octets per second, and undefined in the first moments.
 */
export interface MeterReading {
  readonly position: number;
  readonly size: number | undefined;
  readonly rate: number | undefined;
  readonly elapsedSeconds: number;
}

/** A rate over 5 s is steady to read, and a stall shows soon. */
const windowMs = 5000;
const leastRateMs = 100;

interface Sample {
  readonly atMs: number;
  readonly position: number;
}

export class Meter {
  /** A plain number, since it is set for each read: tens of thousands of times per second. */
  position: number;
  readonly #size: number | undefined;
  readonly #now: () => number;
  readonly #start: Sample;
  /** Earlier readings, oldest first: within `windowMs` before the last one, and one older, where the rate begins. */
  readonly #samples: Sample[];

  constructor({ size, offset }: Pick<DocumentStart, "size" | "offset">, now: () => number) {
    this.position = offset;
    this.#size = size;
    this.#now = now;
    this.#start = { atMs: now(), position: offset };
    this.#samples = [this.#start];
  }

  get receivedInThisRun(): number {
    return this.position - this.#start.position;
  }

  reading(): MeterReading {
    const present = { atMs: this.#now(), position: this.position };
    const windowStartMs = present.atMs - windowMs;
    const outdated = this.#samples.filter(({ atMs }) => atMs <= windowStartMs).length;
    if (outdated > 1) this.#samples.splice(0, outdated - 1);
    this.#samples.push(present);
    return this.#between(this.#samples[0] ?? present, present);
  }

  #between(from: Sample, { atMs, position }: Sample): MeterReading {
    const ms = atMs - from.atMs;
    const octets = Math.max(0, position - from.position);
    return {
      position,
      size: this.#size,
      rate: ms < leastRateMs ? undefined : (octets / ms) * 1000,
      elapsedSeconds: (atMs - this.#start.atMs) / 1000,
    };
  }
}

export function percentOf({ position }: MeterReading, size: number): number {
  return position >= size ? 100 : Math.floor((position / size) * 100);
}

export function secondsLeft({ position, size, rate }: MeterReading): number | undefined {
  const left = size === undefined ? 0 : size - position;
  if (left <= 0 || rate === undefined || rate === 0) return undefined;
  return Math.ceil(left / rate);
}
