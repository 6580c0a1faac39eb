/** Progress as lines for logs: one at the start, one every ten seconds, one at the end. */
import type { DocumentProgress, DocumentStart, TreeCount } from "../documents/events.ts";
import { formatDuration, formatOctets, formatRate } from "../text/units.ts";
import { Meter, percentOf, secondsLeft, type Figures } from "./meter.ts";
import type { Progress } from "./progress.ts";
import { TreeFigures } from "./tree-figures.ts";

const intervalMs = 10_000;

export class PlainProgress implements Progress {
  readonly #print: (line: string) => void;
  readonly #now: () => number;
  readonly #hasOnlyEnds: boolean;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #trees = new TreeFigures();
  #treeTimer: NodeJS.Timeout | undefined;

  /** `print` has to escape the text; `hasOnlyEnds` is for --no-verbose: one line for each document. */
  constructor(print: (line: string) => void, now: () => number, hasOnlyEnds = false) {
    this.#print = print;
    this.#now = now;
    this.#hasOnlyEnds = hasOnlyEnds;
  }

  begin(document: DocumentStart): DocumentProgress {
    const meter = new Meter(document, this.#now());
    if (document.inTree || this.#hasOnlyEnds) return this.#endOf(document, meter);
    const say = (text: string) => this.#print(`${document.target}: ${text}`);
    say(startText(document));
    const timer = setInterval(() => say(runningText(meter.figures(this.#now()))), intervalMs);
    this.#timers.add(timer.unref());
    return {
      advance: (position) => void (meter.position = position),
      end: (whole, verified) => {
        if (!this.#stop(timer)) return;
        const figures = meter.finalFigures(this.#now());
        say(whole ? endText(figures, verified) : stopText(figures));
      },
    };
  }

  tree(count: TreeCount): void {
    if (this.#hasOnlyEnds) return;
    this.#trees.add(count, this.#now());
    this.#print(`files of ${count.url}`);
    if (this.#treeTimer !== undefined) return;
    this.#treeTimer = setInterval(() => this.#sayTrees(), intervalMs).unref();
    this.#timers.add(this.#treeTimer);
  }

  close(): void {
    for (const timer of this.#timers) this.#stop(timer);
  }

  /** One line, when it has arrived. */
  #endOf(document: DocumentStart, meter: Meter): DocumentProgress {
    this.#trees.begun(meter);
    return {
      advance: (position) => void (meter.position = position),
      end: (whole, verified) => {
        this.#trees.ended(meter);
        const figures = meter.finalFigures(this.#now());
        const end = endText(figures, verified, ` from ${document.url}`);
        if (whole) this.#print(`${document.target}: ${end}`);
      },
    };
  }

  #sayTrees(): void {
    if (this.#trees.isRunning) this.#print(this.#trees.line(this.#now()));
  }

  #stop(timer: NodeJS.Timeout): boolean {
    clearInterval(timer);
    return this.#timers.delete(timer);
  }
}

export function startText({ url, size, offset }: DocumentStart): string {
  const octets = size === undefined ? "unknown size" : formatOctets(size);
  const resumed = offset > 0 ? `, resuming at ${formatOctets(offset)}` : "";
  return `${octets} from ${url}${resumed}`;
}

function runningText(figures: Figures): string {
  const { position, size, rate, elapsedSeconds } = figures;
  const left = secondsLeft(figures);
  const parts = [
    size === undefined ? undefined : `${percentOf(figures, size)}%`,
    formatOctets(position) + (size === undefined ? "" : ` of ${formatOctets(size)}`),
    rate === undefined ? undefined : formatRate(rate),
    size === undefined ? `${formatDuration(Math.floor(elapsedSeconds))} so far` : undefined,
    left === undefined ? undefined : `${formatDuration(left)} left`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}

function endText(
  { position, rate, elapsedSeconds }: Figures,
  verified: string | undefined,
  source = "",
): string {
  const speed = rate === undefined ? "" : ` (${formatRate(rate)})`;
  const proof = verified === undefined ? "" : `, ${verified}`;
  return `${formatOctets(position)}${source} in ${formatDuration(elapsedSeconds)}${speed}${proof}`;
}

export function stopText({ position }: Figures): string {
  return `stopped at ${formatOctets(position)}`;
}
