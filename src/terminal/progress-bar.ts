/**
 * Progress as bars at the bottom of a terminal: one for each running transfer, and a total. Drawn
 * by cli-progress, which is loaded for the first bar.
 */
import { basename } from "node:path";
import type { MultiBar } from "cli-progress";
import type { Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { barLine, treeLine } from "./bar-line.ts";
import { barsThatFit, BarStream, columnsOf } from "./bar-stream.ts";
import { sumOf } from "./meter.ts";
import { endLine, startLine } from "./progress-plain.ts";
import type { Progress, ProgressOptions, Running } from "./progress.ts";
import { TreeTotals } from "./tree-totals.ts";

/**
 * Time from the last change of the window's size until bars come back. Terminals that wrap lines
 * anew would keep rows of bars drawn meanwhile, in tmux out of reach.
 */
const settledMs = 250;

export interface BarOptions extends ProgressOptions {
  /**
   * Writes a line above the bars, between `hide` and `show`; a line that isn't urgent (default:
   * urgent) may wait.
   */
  readonly print: (line: string, isUrgent?: boolean) => void;
}

export class BarProgress implements Progress {
  readonly #options: BarOptions;
  readonly #trees = new TreeTotals();
  #rows: (Running | undefined)[] = [];
  #drawnRows = 0;
  #library: typeof import("cli-progress") | undefined;
  #bars: MultiBar | undefined;
  #hidden = false;
  #resizing: NodeJS.Timeout | undefined;
  /** Octets of complete documents while others still run: a part of the total. */
  #finished = 0;

  constructor(options: BarOptions) {
    this.#options = options;
    options.stream.on("resize", this.#resized);
  }

  begun(document: Running): void {
    // Bars don't show where a resumed document begins.
    if (document.offset > 0) this.#options.print(startLine(document));
    const free = this.#rows.indexOf(undefined);
    this.#rows[free < 0 ? this.#rows.length : free] = document;
    if (document.inTree) this.#trees.begun(document.meter);
    // The rows of a tree stay for the next transfers: no redraw for each file.
    const hasRow = this.#rows.length <= this.#drawnRows;
    if (!hasRow || !this.#trees.isRunning || this.#bars === undefined) this.#redraw();
  }

  ended(document: Running, saved: Saved | undefined): void {
    const row = this.#rows.indexOf(document);
    if (row < 0) return;
    this.#rows[row] = undefined;
    const { inTree, meter } = document;
    if (inTree) this.#trees.ended(meter);
    else
      this.#finished = this.#running.length > 0 ? this.#finished + (saved ? meter.position : 0) : 0;
    if (saved || !inTree) this.#options.print(endLine(document, saved), !inTree);
  }

  tree(count: TreeCount): void {
    this.#trees.add(count, this.#options.now);
    this.#redraw();
  }

  hide(): void {
    this.#hidden = true;
    this.#erase();
  }

  show(): void {
    this.#hidden = false;
    this.#draw();
  }

  close(): void {
    this.#options.stream.off("resize", this.#resized);
    clearTimeout(this.#resizing);
    this.hide();
    this.#rows = [];
  }

  get #running(): Running[] {
    return this.#rows.filter((document) => document !== undefined);
  }

  #redraw(): void {
    void import("cli-progress").then((library) => {
      this.#library = library;
      this.#erase();
      this.#draw();
    });
  }

  readonly #resized = (): void => {
    this.#erase();
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => {
      this.#resizing = undefined;
      this.#draw();
    }, settledMs).unref();
  };

  #erase(): void {
    this.#bars?.stop();
    this.#bars = undefined;
  }

  #draw(): void {
    if (this.#hidden || this.#resizing || this.#bars || !this.#library) return;
    const isTree = this.#trees.isRunning;
    if (!isTree) this.#rows = this.#running;
    if (!isTree && this.#rows.length === 0) return;
    const stream = new BarStream(this.#options);
    this.#bars = new this.#library.MultiBar({
      stream: stream as unknown as NodeJS.WritableStream,
      fps: 10,
      forceRedraw: true,
      clearOnComplete: true,
      linewrap: true,
    });
    for (const event of ["redraw-post", "stop"]) this.#bars.on(event, () => stream.flush());
    for (const line of this.#lines(isTree)) this.#bars.create(0, 0, {}, { format: line });
    this.#bars.update();
  }

  /** Texts of the bars; the last is the total, with transfers that have no row. */
  #lines(isTree: boolean): (() => string)[] {
    this.#drawnRows = this.#rows.length;
    const lines = this.#rows.map((_, row) => () => this.#line(this.#rows[row]));
    if (!isTree && lines.length < 2) return lines;
    const total = () => (isTree ? this.#treeLine() : this.#totalLine());
    return [...lines.slice(0, barsThatFit(this.#options.stream) - 1), total];
  }

  #line(document: Running | undefined): string {
    if (document === undefined) return "";
    const name = escapeControls(conceal(basename(document.target)));
    return barLine(name, document.meter.reading(), columnsOf(this.#options.stream));
  }

  #treeLine(): string {
    return treeLine(this.#trees.counts, this.#trees.reading(), columnsOf(this.#options.stream));
  }

  #totalLine(): string {
    const octets = this.#finished;
    const finished = { position: octets, size: octets, rate: undefined, elapsedSeconds: 0 };
    const running = this.#running.map(({ meter }) => meter.reading());
    const name = `${running.length} running`;
    return barLine(name, sumOf([finished, ...running]), columnsOf(this.#options.stream));
  }
}
