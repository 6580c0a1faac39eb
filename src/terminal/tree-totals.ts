/** The progress of all trees of a run together, compared with the files found so far. */
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted, formatOctets, formatRate } from "../text/units.ts";
import { type MeterReading, Meter } from "./meter.ts";

export class TreeTotals {
  readonly #counts: TreeCount[] = [];
  readonly #running = new Set<Meter>();
  #received: Meter | undefined;
  #receivedBefore = 0;

  add(count: TreeCount, now: () => number): void {
    this.#counts.push(count);
    this.#received ??= new Meter({ size: undefined, offset: 0 }, now);
  }

  begun(file: Meter): void {
    this.#running.add(file);
  }

  ended(file: Meter): void {
    if (this.#running.delete(file)) this.#receivedBefore += file.received;
  }

  get isRunning(): boolean {
    return this.#counts.some(({ hasEnded }) => !hasEnded);
  }

  /** Octets include unchanged files and those of earlier runs; the rate is this run's. */
  reading(): MeterReading {
    const meter = this.#received!;
    const running = [...this.#running];
    meter.position = running.reduce((sum, file) => sum + file.received, this.#receivedBefore);
    const position = running.reduce((sum, file) => sum + file.position, this.#sum("octetsEnded"));
    return { ...meter.reading(), position, size: Math.max(position, this.#sum("octets")) };
  }

  get counts(): string {
    const directories = this.#sum("directories");
    const toList = counted(directories, "directory", "directories");
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    return directories === 0 ? files : `${files}, ${toList} to list`;
  }

  line(): string {
    const { position, size = 0, rate } = this.reading();
    const octets = `${formatOctets(position)} of ${formatOctets(size)}`;
    const speed = rate === undefined ? "" : `, ${formatRate(rate)}`;
    return `${this.counts}, ${octets}${speed}`;
  }

  #sum(key: "files" | "filesEnded" | "octets" | "octetsEnded" | "directories"): number {
    return this.#counts.reduce((sum, count) => sum + count[key], 0);
  }
}
