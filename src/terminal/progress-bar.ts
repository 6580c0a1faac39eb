/** The line at the bottom of a terminal, drawn by cli-progress, which is loaded when there is something to draw. */
import { basename } from "node:path";
import type { SingleBar } from "cli-progress";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { barLine, treeLine } from "./bar-line.ts";
import type { Progress } from "./progress.ts";

export interface MessageStream {
  write(text: string): unknown;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
}

export class ProgressBar {
  readonly #progress: Progress;
  readonly #stream: MessageStream;
  readonly #mayDraw: () => boolean;
  #bar: SingleBar | undefined;
  #line = "";
  #isWanted = false;

  constructor(progress: Progress, stream: MessageStream, mayDraw: () => boolean) {
    this.#progress = progress;
    this.#stream = stream;
    this.#mayDraw = mayDraw;
  }

  /** Draws the line, if there is anything to show. */
  show(): void {
    this.#isWanted = !this.#progress.isIdle;
    if (!this.#isWanted) this.hide();
    else if (this.#bar === undefined) void this.#load();
    else if (!this.#bar.isActive) this.#bar.start(0, 0);
  }

  /** Clears the line: a message may be printed there. */
  hide(): void {
    this.#isWanted = false;
    if (this.#bar?.isActive) this.#bar.stop();
  }

  async #load(): Promise<void> {
    const { SingleBar } = await import("cli-progress");
    this.#bar ??= new SingleBar({
      stream: this.#stream as NodeJS.WritableStream,
      format: () => this.#nextLine(),
      clearOnComplete: true,
      linewrap: true,
    });
    if (this.#isWanted) this.show();
  }

  #nextLine(): string {
    const { running, trees } = this.#progress;
    const columns = (this.#stream.columns || 80) - 1; // Terminals differ in when a full line wraps.
    const [document] = running;
    // A shell that has the terminal, after Ctrl-Z, shares it with the user's typing.
    if (!this.#mayDraw()) return this.#line;
    if (trees.isRunning) this.#line = treeLine(trees.counts, trees.reading(), columns);
    else if (document !== undefined) {
      const others = running.size > 1 ? ` +${running.size - 1}` : "";
      const name = escapeControls(conceal(basename(document.target))) + others;
      this.#line = barLine(name, document.meter.reading(), columns);
    }
    return this.#line;
  }
}
