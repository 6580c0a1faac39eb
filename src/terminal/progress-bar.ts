/** Progress as bars at the bottom of a terminal, drawn by cli-progress, which is loaded for the first bar. */
import { basename } from "node:path";
import type { MultiBar } from "cli-progress";
import type { Saved } from "../documents/events.ts";
import type { TreeCount } from "../documents/tree/tree-count.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { barLine, treeLine } from "./bar-line.ts";
import { barsThatFit, BarStream, columnsOf } from "./bar-stream.ts";
import { endLine, startLine } from "./progress-plain.ts";
import type { PrintLine, Progress, ProgressOptions, Running } from "./progress.ts";
import { TreeTotals } from "./tree-totals.ts";

/** Clears the rest of a line; the next one begins at its start, whatever the terminal's mode. */
const lineEnd = "\x1b[0K\r\n";

export class BarProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #print: PrintLine;
  readonly #trees = new TreeTotals();
  /** Running documents by row; in a tree, a free row stays for the next document. */
  #rows: (Running | undefined)[] = [];
  #library: typeof import("cli-progress") | undefined;
  #bars: MultiBar | undefined;
  #hidden = false;

  constructor(options: ProgressOptions, print: PrintLine) {
    this.#options = options;
    this.#print = print;
  }

  begun(document: Running): void {
    // Bars don't show where a resumed document begins.
    if (document.offset > 0) this.#print(startLine(document));
    const free = this.#rows.indexOf(undefined);
    this.#rows[free < 0 ? this.#rows.length : free] = document;
    if (document.inTree) this.#trees.begun(document.meter);
    // No redraw for each file of a tree: its row is drawn with the next frame.
    if (free < 0 || this.#bars === undefined) this.#redraw();
  }

  ended(document: Running, saved: Saved | undefined): void {
    const row = this.#rows.indexOf(document);
    if (row < 0) return;
    this.#rows[row] = undefined;
    const { inTree, meter } = document;
    if (inTree) this.#trees.ended(meter);
    if (saved || !inTree) this.#print(endLine(document, saved), !inTree);
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
    this.hide();
    this.#rows = [];
  }

  #redraw(): void {
    void import("cli-progress").then((library) => {
      this.#library = library;
      this.#draw();
    });
  }

  #erase(): void {
    this.#bars?.stop();
    this.#bars = undefined;
  }

  #draw(): void {
    if (this.#hidden || !this.#library) return;
    if (!this.#trees.isRunning && this.#rows.every((row) => row === undefined)) return;
    this.#bars ??= this.#barsOf(this.#library);
    this.#bars.update();
  }

  #barsOf({ MultiBar }: typeof import("cli-progress")): MultiBar {
    const stream = new BarStream(this.#options);
    const bars = new MultiBar({
      stream: stream as unknown as NodeJS.WritableStream,
      fps: 10,
      forceRedraw: true,
      clearOnComplete: true,
      linewrap: true,
    });
    for (const event of ["redraw-post", "stop"]) bars.on(event, () => stream.flush());
    bars.create(0, 0, {}, { format: () => this.#lines().join(lineEnd) });
    return bars;
  }

  #lines(): string[] {
    const { stream } = this.#options;
    const columns = columnsOf(stream);
    const isTree = this.#trees.isRunning;
    if (!isTree) this.#rows = this.#rows.filter((row) => row !== undefined);
    const lines = this.#rows.map((row) => (row === undefined ? "" : runningLine(row, columns)));
    if (!isTree) return lines.slice(0, barsThatFit(stream));
    const total = treeLine(this.#trees.counts, this.#trees.reading(), columns);
    return [...lines.slice(0, barsThatFit(stream) - 1), total];
  }
}

function runningLine({ target, meter }: Running, columns: number): string {
  return barLine(escapeControls(conceal(basename(target))), meter.reading(), columns);
}
