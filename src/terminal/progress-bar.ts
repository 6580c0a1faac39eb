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
import type { Printer, Progress, ProgressOptions, Running } from "./progress.ts";
import { TreeTotals } from "./tree-totals.ts";

/** Clears the rest of a line; the next one begins at its start, whatever the terminal's mode. */
const lineEnd = "\x1b[0K\r\n";

export class BarProgress implements Progress {
  readonly #options: ProgressOptions;
  readonly #printer: Printer;
  readonly #trees = new TreeTotals();
  /** Running documents by row; in a tree, a free row stays for the next document. */
  #rows: (Running | undefined)[] = [];
  #library: typeof import("cli-progress") | undefined;
  #bars: MultiBar | undefined;
  #isHidden = false;

  constructor(options: ProgressOptions, printer: Printer) {
    this.#options = options;
    this.#printer = printer;
  }

  begun(document: Running): void {
    // Bars don't show where a resumed document begins.
    if (document.offset > 0) this.#printer.print(startLine(document));
    if (document.inTree) this.#trees.begun(document.meter);
    const freeRow = this.#rows.indexOf(undefined);
    if (freeRow === -1) this.#rows.push(document);
    else this.#rows[freeRow] = document;
    // A free row that is drawn already gets its new document with the next frame: a tree may have thousands.
    if (freeRow === -1 || this.#bars === undefined) this.#loadAndDraw();
  }

  ended(document: Running, saved: Saved | undefined): void {
    const row = this.#rows.indexOf(document);
    if (row === -1) return;
    this.#rows[row] = undefined;
    if (!document.inTree) return this.#printer.print(endLine(document, saved));
    this.#trees.ended(document.meter);
    if (saved !== undefined) this.#printer.printSoon(endLine(document, saved));
  }

  tree(count: TreeCount): void {
    this.#trees.add(count, this.#options.now);
    this.#loadAndDraw();
  }

  hide(): void {
    this.#isHidden = true;
    this.#erase();
  }

  show(): void {
    this.#isHidden = false;
    this.#draw();
  }

  close(): void {
    this.hide();
    this.#rows = [];
  }

  #loadAndDraw(): void {
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
    if (this.#isHidden || this.#library === undefined) return;
    const hasLines = this.#trees.isRunning || this.#rows.some((row) => row !== undefined);
    if (!hasLines) return;
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
    bars.create(0, 0, {}, { format: () => this.#nextLines().join(lineEnd) });
    return bars;
  }

  #nextLines(): string[] {
    const { stream } = this.#options;
    const columns = columnsOf(stream);
    const most = barsThatFit(stream);
    if (!this.#trees.isRunning) {
      this.#rows = this.#rows.filter((row) => row !== undefined);
      return this.#rows.slice(0, most).map((row) => runningLine(row, columns));
    }
    const lines = this.#rows.slice(0, most - 1).map((row) => runningLine(row, columns));
    return [...lines, treeLine(this.#trees.counts, this.#trees.reading(), columns)];
  }
}

function runningLine(row: Running | undefined, columns: number): string {
  if (row === undefined) return "";
  const { target, meter } = row;
  return barLine(escapeControls(conceal(basename(target))), meter.reading(), columns);
}
