/** The progress of all trees of a run together: what is done of what is known so far. */
import type { TreeCount } from "../documents/events.ts";
import { formatOctets, formatRate } from "../text/units.ts";
import { type Figures, Meter } from "./meter.ts";

export class TreeFigures {
  readonly #counts: TreeCount[] = [];
  #meter: Meter | undefined;

  add(count: TreeCount, nowMs: number): void {
    this.#counts.push(count);
    this.#meter ??= new Meter({ size: undefined, offset: 0 }, nowMs);
  }

  /** Whether a tree is still being fetched. */
  get isRunning(): boolean {
    return this.#counts.some(({ hasEnded }) => !hasEnded);
  }

  /** `running` octets have come of files that haven't ended. */
  figures(running: number, nowMs: number): Figures {
    const meter = this.#meter ?? new Meter({ size: undefined, offset: 0 }, nowMs);
    meter.position = this.#sum("octetsEnded") + running;
    const size = Math.max(meter.position, this.#sum("octets"));
    return { ...meter.figures(nowMs), size };
  }

  /** Such as "12 of 340 files, 3 directories to list". */
  get counts(): string {
    const directories = this.#sum("directories");
    const toList = directories === 1 ? "1 directory" : `${directories} directories`;
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    return directories === 0 ? files : `${files}, ${toList} to list`;
  }

  /** The same as a line of a log. */
  line(running: number, nowMs: number): string {
    const { position, size = 0, rate } = this.figures(running, nowMs);
    const octets = `${formatOctets(position)} of ${formatOctets(size)}`;
    const speed = rate === undefined ? "" : `, ${formatRate(rate)}`;
    return `${this.counts}, ${octets}${speed}`;
  }

  #sum(key: "files" | "filesEnded" | "octets" | "octetsEnded" | "directories"): number {
    return this.#counts.reduce((sum, count) => sum + count[key], 0);
  }
}
