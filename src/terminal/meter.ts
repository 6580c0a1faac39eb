/** Measures the progress of a transfer: octets, rate, time left. */
import type { DocumentStart } from "../documents/events.ts";

/** The progress of one document, or of several together, at one moment. */
export interface Figures {
  /** Octets so far, including those of an earlier run. */
  readonly position: number;
  readonly size: number | undefined;
  /** Octets per second; undefined when too little time has passed to say. */
  readonly rate: number | undefined;
  readonly elapsedSeconds: number;
}

/** The rate is that of the last 5 s: steady to read, and a stall shows soon. */
const windowMs = 5000;
const sampleMs = 100;
/** A rate over a shorter time tells nothing. */
const shortestMs = 100;

interface Sample {
  readonly atMs: number;
  readonly position: number;
}

export class Meter {
  /** A plain number, since it is set for each read, tens of thousands of times per second. */
  position: number;
  readonly #size: number | undefined;
  readonly #start: Sample;
  #samples: Sample[];

  constructor(document: Pick<DocumentStart, "size" | "offset">, nowMs: number) {
    this.position = document.offset;
    this.#size = document.size;
    this.#start = { atMs: nowMs, position: document.offset };
    this.#samples = [this.#start];
  }

  /** Octets of this run, without those of an earlier one. */
  get received(): number {
    return this.position - this.#start.position;
  }

  /** The present figures, with the rate of the last seconds. */
  figures(nowMs: number): Figures {
    const oldest = this.#oldestSample(nowMs);
    this.#sample(nowMs);
    return this.#since(oldest, nowMs);
  }

  /** The figures at the end, with the average rate of this run. */
  finalFigures(nowMs: number): Figures {
    return this.#since(this.#start, nowMs);
  }

  #oldestSample(nowMs: number): Sample {
    const first = this.#samples.findLastIndex((sample) => sample.atMs <= nowMs - windowMs);
    if (first > 0) this.#samples = this.#samples.slice(first);
    return this.#samples[0] ?? this.#start;
  }

  #sample(nowMs: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && nowMs - last.atMs < sampleMs) return;
    this.#samples.push({ atMs: nowMs, position: this.position });
  }

  #since(sample: Sample, nowMs: number): Figures {
    return {
      position: this.position,
      size: this.#size,
      rate: rateBetween(sample, { atMs: nowMs, position: this.position }),
      elapsedSeconds: (nowMs - this.#start.atMs) / 1000,
    };
  }
}

function rateBetween(from: Sample, to: Sample): number | undefined {
  const ms = to.atMs - from.atMs;
  return ms >= shortestMs ? (Math.max(0, to.position - from.position) / ms) * 1000 : undefined;
}

/** Whole percent, 100 only for a complete document; an empty one is complete. */
export function percentOf({ position }: Figures, size: number): number {
  return position >= size ? 100 : Math.floor((position / size) * 100);
}

/** Seconds until the end at the present rate, rounded up; undefined if size or rate are unknown. */
export function secondsLeft({ position, size, rate }: Figures): number | undefined {
  if (size === undefined || rate === undefined || rate === 0 || position >= size) return undefined;
  return Math.ceil((size - position) / rate);
}

/** The figures of several documents together; the size is unknown if one of theirs is. */
export function sumFigures(all: readonly Figures[]): Figures {
  return all.reduce((sum, one) => ({
    position: sum.position + one.position,
    size: sum.size === undefined || one.size === undefined ? undefined : sum.size + one.size,
    rate: one.rate === undefined ? sum.rate : (sum.rate ?? 0) + one.rate,
    elapsedSeconds: Math.max(sum.elapsedSeconds, one.elapsedSeconds),
  }));
}
