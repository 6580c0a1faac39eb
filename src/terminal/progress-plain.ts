/** Progress as lines for logs: one at the start, one every ten seconds, one at the end. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted, formatDuration, formatOctets, formatRate } from "../text/units.ts";
import { percentOf, secondsLeft, type MeterReading } from "./meter.ts";
import type { Progress, Running } from "./progress.ts";
import { TreeTotals } from "./tree-totals.ts";

const intervalMs = 10_000;

export class PlainProgress implements Progress {
  readonly #print: (line: string) => void;
  readonly #hasOnlyEnds: boolean;
  readonly #now: () => number;
  readonly #trees = new TreeTotals();
  readonly #timers = new Map<Running | TreeTotals, NodeJS.Timeout>();

  /** With `hasOnlyEnds` each document has one line (--no-verbose). */
  constructor(print: (line: string) => void, now: () => number, hasOnlyEnds: boolean) {
    this.#print = print;
    this.#hasOnlyEnds = hasOnlyEnds;
    this.#now = now;
  }

  begun(document: Running): void {
    const { target, meter } = document;
    if (document.inTree) this.#trees.begun(meter);
    if (this.#hasOnlyEnd(document)) return;
    this.#print(startLine(document));
    this.#repeat(document, () => this.#print(`${target}: ${runningText(meter.reading())}`));
  }

  ended(document: Running, saved: Saved | undefined): void {
    this.#trees.ended(document.meter);
    const hasOnlyEnd = this.#hasOnlyEnd(document);
    const isShown = hasOnlyEnd ? saved !== undefined : this.#stop(document);
    const source = hasOnlyEnd ? ` from ${document.url}` : "";
    if (isShown) this.#print(endLine(document, saved, source));
  }

  tree(count: TreeCount): void {
    if (this.#hasOnlyEnds) return;
    this.#trees.add(count, this.#now);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    this.#print(`files of ${count.url}${place}`);
    this.#repeat(this.#trees, () => {
      if (this.#trees.isRunning) this.#print(this.#trees.line());
    });
  }

  close(): void {
    for (const key of this.#timers.keys()) this.#stop(key);
  }

  #hasOnlyEnd({ inTree = false }: Running): boolean {
    return inTree || this.#hasOnlyEnds;
  }

  #repeat(key: Running | TreeTotals, print: () => void): void {
    if (!this.#timers.has(key)) this.#timers.set(key, setInterval(print, intervalMs).unref());
  }

  #stop(key: Running | TreeTotals): boolean {
    clearInterval(this.#timers.get(key));
    return this.#timers.delete(key);
  }
}

export function startLine({ target, url, size, offset }: DocumentStart): string {
  const octets = size === undefined ? "a file of unknown size" : formatOctets(size);
  const resumed = offset > 0 ? `, resuming at ${formatOctets(offset)}` : "";
  return `${target}: fetching ${octets} from ${url}${resumed}`;
}

function runningText(reading: MeterReading): string {
  const { position, size, rate, elapsedSeconds } = reading;
  const octets = formatOctets(position);
  const speed = rate === undefined ? "" : `, ${formatRate(rate)}`;
  if (size === undefined)
    return `${octets}${speed}, ${formatDuration(Math.floor(elapsedSeconds))} so far`;
  const seconds = secondsLeft(reading);
  const left = seconds === undefined ? "" : `, ${formatDuration(seconds)} left`;
  return `${percentOf(reading, size)}%, ${octets} of ${formatOctets(size)}${speed}${left}`;
}

/** The last line of a document, whole if it was `saved`; `source` is shown behind its octets. */
export function endLine(
  { target, meter, offset }: Running,
  saved: Saved | undefined,
  source = "",
): string {
  const { position, size, rate, elapsedSeconds } = meter.finalReading();
  // A file with all its octets may be the wrong one; others are counted as in the failure's message.
  if (saved === undefined && position !== size)
    return `${target}: stopped at ${counted(position, "octet")}`;
  const octets = formatOctets(position);
  if (saved === undefined) return `${target}: received ${octets}`;
  const speed = rate === undefined ? "" : ` (${formatRate(rate)})`;
  const proof = saved.verified === undefined ? "" : `, ${saved.verified}`;
  const duration = formatDuration(elapsedSeconds);
  const resumed = offset > 0 ? `, ${formatOctets(meter.received)} of it now,` : "";
  return `${saved.target ?? target}: ${octets}${source}${resumed} in ${duration}${speed}${proof}`;
}
