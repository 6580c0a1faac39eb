/** The progress of all trees of a run together, compared with the files found so far. */
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted, formatOctets, formatRate } from "../text/units.ts";
import { type MeterReading, Meter } from "./meter.ts";

export class TreeTotals {
  readonly #counts: TreeCount[] = [];
  readonly #runningFiles = new Set<Meter>();
  #receivedByEndedFiles = 0;
  #meter: Meter | undefined;

  add(count: TreeCount, now: () => number): void {
    this.#counts.push(count);
    this.#meter ??= new Meter({ size: undefined, offset: 0 }, now);
  }

  begun(file: Meter): void {
    this.#runningFiles.add(file);
  }

  ended(file: Meter): void {
    if (this.#runningFiles.delete(file)) this.#receivedByEndedFiles += file.receivedInThisRun;
  }

  get isRunning(): boolean {
    return this.#counts.some(({ hasEnded }) => !hasEnded);
  }

  /** `position` includes unchanged files, and octets of earlier runs; the rate is this run's. Called after `add`. */
  reading(): MeterReading {
    const meter = this.#meter!;
    let position = this.#sum("octetsEnded");
    meter.position = this.#receivedByEndedFiles;
    for (const file of this.#runningFiles) {
      position += file.position;
      meter.position += file.receivedInThisRun;
    }
    return { ...meter.reading(), position, size: Math.max(position, this.#sum("octets")) };
  }

  get counts(): string {
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    const directories = this.#sum("directories");
    if (directories === 0) return files;
    return `${files}, ${counted(directories, "directory", "directories")} to list`;
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
