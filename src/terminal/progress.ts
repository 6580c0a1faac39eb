/** The progress of a run, as lines at the bottom of a terminal, or as lines for logs. */
import { basename } from "node:path";
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { barLine, endLine, fileText, startLine, treeLine, treeText } from "./lines.ts";
import { Meter, type Running } from "./meter.ts";
import { TreeTotals } from "./tree-totals.ts";

const intervalMs = 10_000;

/**
 * "plain" prints a line at a file's start, every ten seconds and at its end, of a tree's file only at its end;
 * "final" prints the last of these lines; "bar" prints it above lines that bars.ts draws.
 */
export type ProgressStyle = "bar" | "plain" | "final";

interface ProgressOptions {
  readonly style: ProgressStyle;
  readonly now: () => number;
  readonly print: (line: string) => void;
}

export class Progress {
  readonly #options: ProgressOptions;
  /** The files that are fetched now; one keeps its row when another ends. */
  readonly #rows: (Running | undefined)[] = [];
  readonly #trees: TreeTotals;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#trees = new TreeTotals(options.now);
  }

  get isIdle(): boolean {
    return this.#isClosed || (this.#rows.length === 0 && !this.#trees.isRunning);
  }

  begin(document: DocumentStart): Running {
    const running = { ...document, meter: new Meter(document, this.#options.now) };
    const free = this.#rows.indexOf(undefined);
    this.#rows[free < 0 ? this.#rows.length : free] = running;
    if (document.inTree) this.#trees.begin(running.meter);
    // A bar doesn't show where a resumed file begins.
    const isBar = this.#options.style === "bar";
    const isStartShown = isBar ? document.offset > 0 : this.#isFollowed(document);
    if (isStartShown) this.#options.print(startLine(document));
    this.#follow();
    return running;
  }

  end(running: Running, saved: Saved | undefined): void {
    const row = this.#rows.indexOf(running);
    if (row < 0) return;
    this.#rows[row] = undefined;
    while (this.#rows.length > 0 && this.#rows.at(-1) === undefined) this.#rows.pop();
    this.#trees.end(running.meter);
    const isShort = this.#options.style !== "bar" && !this.#isFollowed(running);
    if (saved !== undefined)
      this.#options.print(endLine(running, saved, isShort ? running.url : undefined));
  }

  tree(count: TreeCount): void {
    if (this.#options.style === "final") return;
    this.#trees.add(count);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    if (this.#options.style === "plain") this.#options.print(`files of ${count.url}${place}`);
    this.#follow();
  }

  /** The lines of the files, below them the one of all trees; a low terminal has the first files only. */
  lines(columns: number, rows: number): string[] {
    const totals = this.#trees.isRunning
      ? [treeLine(this.#trees.counts, this.#trees.reading(), columns)]
      : [];
    const files = this.#rows.slice(0, rows - totals.length).map((running) => {
      if (running === undefined) return "";
      const name = escapeControls(conceal(basename(running.target)));
      return barLine(name, running.meter.reading(), columns);
    });
    return [...files, ...totals];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#rows.length = 0;
  }

  #isFollowed({ inTree }: DocumentStart): boolean {
    return this.#options.style === "plain" && !inTree;
  }

  #follow(): void {
    if (this.#options.style !== "plain" || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#printRunning(), intervalMs).unref();
  }

  #printRunning(): void {
    const { print } = this.#options;
    for (const running of this.#rows)
      if (running !== undefined && !running.inTree)
        print(fileText(running.target, running.meter.reading()));
    if (this.#trees.isRunning) print(treeText(this.#trees.counts, this.#trees.reading()));
  }
}
