/** The progress of a run, as lines at the bottom of a terminal, or as lines for logs. */
import { basename } from "node:path";
import type { DocumentStart, Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { counted } from "../text/units.ts";
import { barLine, endLine, fileText, startLine, treeLine, treeText } from "./lines.ts";
import { Meter, type MeterReading, type Running } from "./meter.ts";

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
  /** The files that are fetched now. */
  readonly #running = new Set<Running>();
  readonly #trees: TreeCount[] = [];
  /** Measures what this run receives for all trees. */
  readonly #treeMeter: Meter;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ProgressOptions) {
    this.#options = options;
    this.#treeMeter = new Meter({ size: undefined, offset: 0 }, options.now);
  }

  get isIdle(): boolean {
    return this.#isClosed || (this.#running.size === 0 && !this.#isTreeRunning);
  }

  begin(document: DocumentStart): Running {
    const running = { ...document, meter: new Meter(document, this.#options.now) };
    this.#running.add(running);
    // A bar doesn't show where a resumed file begins.
    const isBar = this.#options.style === "bar";
    const isStartShown = isBar ? document.offset > 0 : this.#isFollowed(document);
    if (isStartShown) this.#options.print(startLine(document));
    this.#follow();
    return running;
  }

  /** Called for each read: tens of thousands of times a second. */
  advance({ meter, inTree }: Running, position: number): void {
    if (inTree) this.#treeMeter.position += position - meter.position;
    meter.position = position;
  }

  end(running: Running, saved: Saved | undefined): void {
    if (!this.#running.delete(running)) return;
    const isShort = this.#options.style !== "bar" && !this.#isFollowed(running);
    if (saved !== undefined)
      this.#options.print(endLine(running, saved, isShort ? running.url : undefined));
  }

  tree(count: TreeCount): void {
    if (this.#options.style === "final") return;
    this.#trees.push(count);
    const place = count.place === undefined ? "" : `, in "${count.place}"`;
    if (this.#options.style === "plain") this.#options.print(`files of ${count.url}${place}`);
    this.#follow();
  }

  /** The lines of the files, below them the one of all trees; a low terminal has the first files only. */
  lines(columns: number, rows: number): string[] {
    const totals = this.#isTreeRunning
      ? [treeLine(this.#counts, this.#treeReading(), columns)]
      : [];
    const files = [...this.#running].slice(0, rows - totals.length).map((running) => {
      const name = escapeControls(conceal(basename(running.target)));
      return barLine(name, running.meter.reading(), columns);
    });
    return [...files, ...totals];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#isClosed = true;
    this.#running.clear();
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
    for (const { target, meter, inTree } of this.#running)
      if (!inTree) print(fileText(target, meter.reading()));
    if (this.#isTreeRunning) print(treeText(this.#counts, this.#treeReading()));
  }

  get #isTreeRunning(): boolean {
    return this.#trees.some(({ hasEnded }) => !hasEnded);
  }

  /** `position` includes unchanged files, and bytes of earlier runs; the rate is this run's. */
  #treeReading(): MeterReading {
    let position = this.#sum("octetsEnded");
    for (const { meter, inTree } of this.#running) if (inTree) position += meter.position;
    const size = Math.max(position, this.#sum("octets"));
    return { ...this.#treeMeter.reading(), position, size };
  }

  get #counts(): string {
    const files = `${this.#sum("filesEnded")} of ${this.#sum("files")} files`;
    const directories = this.#sum("directories");
    if (directories === 0) return files;
    return `${files}, ${counted(directories, "directory", "directories")} to list`;
  }

  #sum(key: "files" | "filesEnded" | "octets" | "octetsEnded" | "directories"): number {
    return this.#trees.reduce((sum, count) => sum + count[key], 0);
  }
}
