/** Progress as lines for logs: one at the start, one every ten seconds, one at the end. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { counted, formatDuration, formatOctets, formatRate } from "../text/units.ts";
import { percentOf, secondsLeft, type MeterReading } from "./meter.ts";
import type { Printer, Progress, Running } from "./progress.ts";
import { TreeTotals } from "./tree-totals.ts";

const intervalMs = 10_000;

interface PlainOptions extends Pick<Printer, "print"> {
  readonly now: () => number;
  readonly hasOnlyEnds: boolean;
}

export class PlainProgress implements Progress {
  readonly #options: PlainOptions;
  readonly #trees = new TreeTotals();
  readonly #timers = new Map<Running | TreeTotals, NodeJS.Timeout>();

  constructor(options: PlainOptions) {
    this.#options = options;
  }

  begun(document: Running): void {
    const { target, meter } = document;
    if (document.inTree) this.#trees.begun(meter);
    if (this.#hasEndLineOnly(document)) return;
    this.#options.print(startLine(document));
    this.#repeat(document, () => this.#options.print(`${target}: ${runningText(meter.reading())}`));
  }

  ended(document: Running, saved: Saved | undefined): void {
    this.#trees.ended(document.meter);
    if (!this.#hasEndLineOnly(document)) {
      const wasRunning = this.#stop(document);
      if (wasRunning) this.#options.print(endLine(document, saved));
    } else if (saved !== undefined)
      this.#options.print(endLine(document, saved, ` from ${document.url}`));
  }

  tree(count: TreeCount): void {
    const { print, now, hasOnlyEnds } = this.#options;
    if (hasOnlyEnds) return;
    this.#trees.add(count, now);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    print(`files of ${count.url}${place}`);
    this.#repeat(this.#trees, () => {
      if (this.#trees.isRunning) print(this.#trees.line());
    });
  }

  close(): void {
    for (const key of this.#timers.keys()) this.#stop(key);
  }

  #hasEndLineOnly({ inTree = false }: Running): boolean {
    return inTree || this.#options.hasOnlyEnds;
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

/**
 * The last line of a document: as far as it came, unless `saved` is given. `source`, such as " from URL",
 * follows the octets.
 */
export function endLine(
  { target, meter, offset }: Running,
  saved: Saved | undefined,
  source = "",
): string {
  const { position, size, rate, elapsedSeconds } = meter.finalReading();
  const octets = formatOctets(position);
  if (saved === undefined) {
    // All octets may have come of a document that has the wrong checksum.
    if (position === size) return `${target}: received ${octets}`;
    return `${target}: stopped at ${counted(position, "octet")}`;
  }
  const speed = rate === undefined ? "" : ` (${formatRate(rate)})`;
  const proof = saved.verified === undefined ? "" : `, ${saved.verified}`;
  const duration = formatDuration(elapsedSeconds);
  const resumed = offset > 0 ? `, ${formatOctets(meter.receivedInThisRun)} of it now,` : "";
  return `${saved.target ?? target}: ${octets}${source}${resumed} in ${duration}${speed}${proof}`;
}
