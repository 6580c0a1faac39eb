/** The progress of a run, as one line at the bottom of a terminal, or as lines for logs. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { formatDuration, formatOctets, formatRate } from "../text/units.ts";
import { type Meter, type MeterReading, percentOf, secondsLeft } from "./meter.ts";
import { TreeTotals } from "./tree-totals.ts";

const intervalMs = 10_000;

export interface Running extends DocumentStart {
  readonly meter: Meter;
}

/**
 * "plain" prints a line at a document's start, every ten seconds and at its end, of a tree's file only at its end;
 * "final" prints the last of these lines; "bar" prints it below a line that progress-bar.ts draws.
 */
export type ProgressStyle = "bar" | "plain" | "final";

interface ProgressOptions {
  readonly style: ProgressStyle;
  readonly now: () => number;
  print(line: string): void;
}

export class Progress {
  readonly running = new Set<Running>();
  readonly trees = new TreeTotals();
  readonly #options: ProgressOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.running.size === 0 && !this.trees.isRunning;
  }

  begun(document: Running): void {
    const { style, print } = this.#options;
    this.running.add(document);
    if (document.inTree) this.trees.begun(document.meter);
    // A bar doesn't show where a resumed document begins.
    const isStartShown = style === "bar" ? document.offset > 0 : this.#isFollowed(document);
    if (isStartShown) print(startLine(document));
    this.#follow();
  }

  ended(document: Running, saved: Saved | undefined): void {
    const { style, print } = this.#options;
    if (!this.running.delete(document)) return;
    this.trees.ended(document.meter);
    const isShort = style !== "bar" && !this.#isFollowed(document);
    const source = isShort ? ` from ${document.url}` : "";
    if (saved !== undefined) print(endLine(document, saved, source));
  }

  tree(count: TreeCount): void {
    const { style, now, print } = this.#options;
    if (style === "final") return;
    this.trees.add(count, now);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    if (style === "plain") print(`files of ${count.url}${place}`);
    this.#follow();
  }

  close(): void {
    clearInterval(this.#timer);
    this.running.clear();
  }

  #isFollowed({ inTree }: Running): boolean {
    return this.#options.style === "plain" && !inTree;
  }

  #follow(): void {
    if (this.#options.style !== "plain" || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#printRunning(), intervalMs).unref();
  }

  #printRunning(): void {
    const { print } = this.#options;
    for (const document of this.running)
      if (!document.inTree) print(`${document.target}: ${runningText(document.meter.reading())}`);
    if (this.trees.isRunning) print(this.trees.line());
  }
}

function startLine({ target, url, size, offset }: DocumentStart): string {
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

const leastSecondsForRate = 1;

/** The last line of a whole file. */
function endLine({ meter }: Running, saved: Saved, source: string): string {
  const { target, resumed, seconds, verified } = saved;
  const now = Math.max(0, meter.position - resumed);
  const part = resumed > 0 ? `, ${formatOctets(now)} of it now,` : "";
  const speed = seconds >= leastSecondsForRate ? ` (${formatRate(now / seconds)})` : "";
  const proof = verified === undefined ? "" : `, ${verified}`;
  const duration = formatDuration(seconds);
  return `${target}: ${formatOctets(meter.position)}${source}${part} in ${duration}${speed}${proof}`;
}
