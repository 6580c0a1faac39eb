/** The progress of all trees of a run together, compared with the files found so far. */
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted } from "../text/units.ts";
import { type MeterReading, Meter } from "./meter.ts";

export class TreeTotals {
  readonly #now: () => number;
  readonly #counts: TreeCount[] = [];
  readonly #runningFiles = new Set<Meter>();
  #receivedByEndedFiles = 0;
  #meter: Meter | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(count: TreeCount): void {
    this.#counts.push(count);
    this.#meter ??= new Meter({ size: undefined, offset: 0 }, this.#now);
  }

  begin(file: Meter): void {
    this.#runningFiles.add(file);
  }

  end(file: Meter): void {
    if (this.#runningFiles.delete(file)) this.#receivedByEndedFiles += file.received;
  }

  get isRunning(): boolean {
    return this.#counts.some(({ hasEnded }) => !hasEnded);
  }

  /** `position` includes unchanged files, and bytes of earlier runs; the rate is this run's. Called after `add`. */
  reading(): MeterReading {
    const meter = this.#meter!;
    let position = this.#sum("octetsEnded");
    meter.position = this.#receivedByEndedFiles;
    for (const file of this.#runningFiles) {
      position += file.position;
      meter.position += file.received;
    }
    return { ...meter.reading(), position, size: Math.max(position, this.#sum("octets")) };
  }

  get counts(): string {
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    const directories = this.#sum("directories");
    if (directories === 0) return files;
    return `${files}, ${counted(directories, "directory", "directories")} to list`;
  }

  #sum(key: "files" | "filesEnded" | "octets" | "octetsEnded" | "directories"): number {
    return this.#counts.reduce((sum, count) => sum + count[key], 0);
  }
}
