import type { DocumentStart } from "../documents/events.ts";

export interface MeterReading {
  /** Octets that are here, with those of an earlier run; `rate` is per second, undefined in the first moments. */
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
  /** Never empty; the first one is the youngest that is as old as the window. */
  readonly #samples: Sample[];

  constructor({ size, offset }: Pick<DocumentStart, "size" | "offset">, now: () => number) {
    this.position = offset;
    this.#size = size;
    this.#now = now;
    this.#start = { atMs: now(), position: offset };
    this.#samples = [this.#start];
  }

  get received(): number {
    return this.position - this.#start.position;
  }

  reading(): MeterReading {
    const present = { atMs: this.#now(), position: this.position };
    const baseline = this.#samples.findLastIndex(({ atMs }) => atMs <= present.atMs - windowMs);
    this.#samples.splice(0, baseline);
    this.#samples.push(present);
    return this.#between(this.#samples[0]!, present);
  }

  finalReading(): MeterReading {
    return this.#between(this.#start, { atMs: this.#now(), position: this.position });
  }

  #between(from: Sample, { atMs, position }: Sample): MeterReading {
    const ms = atMs - from.atMs;
    return {
      position,
      size: this.#size,
      rate: ms < leastRateMs ? undefined : (Math.max(0, position - from.position) / ms) * 1000,
      elapsedSeconds: (atMs - this.#start.atMs) / 1000,
    };
  }
}

export function percentOf({ position }: MeterReading, size: number): number {
  return position >= size ? 100 : Math.floor((position / size) * 100);
}

/** Seconds until the end at the present rate, rounded up; undefined at the end, and if they can't be known. */
export function secondsLeft({ position, size, rate }: MeterReading): number | undefined {
  if (size === undefined || rate === undefined || rate === 0 || position >= size) return undefined;
  return Math.ceil((size - position) / rate);
}
