/**
 * Progress as bars at the bottom of a terminal: one for each running transfer, and a total. Drawn
 * by cli-progress, which is loaded for the first bar.
 */
import { basename } from "node:path";
import type { MultiBar } from "cli-progress";
import type { DocumentProgress, DocumentStart, TreeCount } from "../documents/events.ts";
import { escapeControls } from "../text/escape.ts";
import { barLine, finalLine, treeLine } from "./bar-line.ts";
import { barsThatFit, BarStream, columnsOf } from "./bar-stream.ts";
import { Meter, sumFigures, type Figures } from "./meter.ts";
import { startText, stopText } from "./progress-plain.ts";
import type { Progress, ProgressOptions } from "./progress.ts";
import { TreeFigures } from "./tree-figures.ts";

/**
 * Bars come back so long after the last change of the window's size. In terminals that wrap lines
 * anew, bars that are drawn while the window is dragged leave rows behind, in tmux out of reach.
 */
const settledMs = 250;

export interface BarOptions extends ProgressOptions {
  /** Writes a line above the bars, and calls `hide` and `show` around it. */
  readonly print: (line: string) => void;
  /** The same, together with the lines of the next moment. */
  readonly printSoon: (line: string) => void;
}

export class BarProgress implements Progress {
  readonly #options: BarOptions;
  /** The running transfers with their documents, in the order of their starts. */
  readonly #running = new Map<Meter, DocumentStart>();
  readonly #trees = new TreeFigures();
  /** The transfer in each row of a tree: a row stays, and its next transfer takes it. */
  readonly #rows: (Meter | undefined)[] = [];
  #drawnRows = 0;
  #library: typeof import("cli-progress") | undefined;
  #bars: MultiBar | undefined;
  #hidden = false;
  /** Runs while the size changes. */
  #resizing: NodeJS.Timeout | undefined;
  /** Octets of documents that are complete while others still run: a part of the total. */
  #finished = 0;

  constructor(options: BarOptions) {
    this.#options = options;
    options.stream.on("resize", this.#resized);
  }

  begin(document: DocumentStart): DocumentProgress {
    const { print, now } = this.#options;
    const { target, inTree } = document;
    // What a bar doesn't show.
    if (document.offset > 0) print(`${target}: ${startText(document)}`);
    const meter = new Meter(document, now());
    this.#running.set(meter, document);
    const free = this.#rows.indexOf(undefined);
    this.#rows[free < 0 ? this.#rows.length : free] = meter;
    if (inTree) this.#trees.begun(meter);
    // Don't redraw for each file: the rows of a tree take the next ones.
    const hasRow = this.#rows.length <= this.#drawnRows;
    if (!hasRow || !this.#trees.isRunning || this.#bars === undefined) this.#begun();
    return {
      advance: (position) => void (meter.position = position),
      end: (whole, verified) => this.#end(meter, whole, verified),
    };
  }

  tree(count: TreeCount): void {
    this.#trees.add(count, this.#options.now());
    this.#begun();
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
    this.#running.clear();
  }

  #begun(): void {
    void import("cli-progress").then((library) => {
      this.#library = library;
      this.#redraw();
    });
  }

  #end(meter: Meter, whole: boolean, verified: string | undefined): void {
    const document = this.#running.get(meter);
    if (document === undefined) return;
    this.#running.delete(meter);
    this.#rows[this.#rows.indexOf(meter)] = undefined;
    const { print, printSoon, now, stream } = this.#options;
    const { target, inTree } = document;
    const figures = meter.finalFigures(now());
    const last = finalLine(
      escapeControls(target),
      figures,
      columnsOf(stream),
      verified && escapeControls(verified),
    );
    if (inTree) {
      this.#trees.ended(meter);
      return whole ? printSoon(last) : undefined;
    }
    this.#finished = this.#running.size === 0 ? 0 : this.#finished + (whole ? meter.position : 0);
    print(whole ? last : `${target}: ${stopText(figures)}`);
  }

  readonly #resized = (): void => {
    this.#erase();
    clearTimeout(this.#resizing);
    this.#resizing = setTimeout(() => {
      this.#resizing = undefined;
      this.#draw();
    }, settledMs).unref();
  };

  #redraw(): void {
    this.#erase();
    this.#draw();
  }

  #erase(): void {
    this.#bars?.stop();
    this.#bars = undefined;
  }

  #draw(): void {
    if (this.#hidden || this.#resizing || this.#bars || !this.#library) return;
    if (this.#running.size === 0 && !this.#trees.isRunning) return;
    const stream = new BarStream(this.#options);
    this.#bars = new this.#library.MultiBar({
      stream: stream as unknown as NodeJS.WritableStream,
      fps: 10,
      forceRedraw: true,
      clearOnComplete: true,
      linewrap: true,
    });
    for (const event of ["redraw-post", "stop"]) this.#bars.on(event, () => stream.flush());
    for (const line of this.#lines()) this.#bars.create(0, 0, {}, { format: line });
    this.#bars.update();
  }

  /** A function for the text of each bar; the last is the total, with those that have no room. */
  #lines(): (() => string)[] {
    if (this.#trees.isRunning) return this.#treeLines();
    const lines = Array.from(this.#running, ([meter, { target }]) => {
      return () => this.#line(nameOf(target), meter.figures(this.#options.now()));
    });
    if (lines.length < 2) return lines;
    const total = () => this.#line(`${this.#running.size} running`, this.#total());
    return [...lines.slice(0, barsThatFit(this.#options.stream) - 1), total];
  }

  #treeLines(): (() => string)[] {
    this.#drawnRows = this.#rows.length;
    const rows = Math.min(this.#drawnRows, barsThatFit(this.#options.stream) - 1);
    const files = Array.from({ length: rows }, (_, row) => () => {
      const meter = this.#rows[row];
      const document = meter && this.#running.get(meter);
      if (document === undefined) return "";
      return this.#line(nameOf(document.target), meter!.figures(this.#options.now()));
    });
    return [...files, () => this.#treeLine()];
  }

  #treeLine(): string {
    const figures = this.#trees.figures(this.#options.now());
    return treeLine(this.#trees.counts, figures, columnsOf(this.#options.stream));
  }

  #line(name: string, figures: Figures): string {
    return barLine(name, figures, columnsOf(this.#options.stream));
  }

  #total(): Figures {
    const nowMs = this.#options.now();
    const octets = this.#finished;
    const finished = { position: octets, size: octets, rate: undefined, elapsedSeconds: 0 };
    const running = Array.from(this.#running.keys(), (meter) => meter.figures(nowMs));
    return sumFigures([finished, ...running]);
  }
}

function nameOf(target: string): string {
  return escapeControls(basename(target));
}
