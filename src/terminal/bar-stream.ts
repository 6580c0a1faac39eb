/**
 * The stream that cli-progress draws on: joins the writes of a frame. Between frames the cursor is at the start of the
 * first bar, not below the bars, where cli-progress leaves the cursor: a narrower window would keep garbage. The
 * cursor stays visible, and lines wrap: a killed program leaves the terminal as it was.
 */
import type { MessageStream, ProgressOptions } from "./progress.ts";

const wrapOff = "\x1b[?7l";
const wrapOn = "\x1b[?7h";
const clearToEndOfScreen = "\x1b[0J";

export class BarStream {
  readonly isTTY = true;
  /** Cli-progress would cut its text, which has several lines. */
  readonly columns = Infinity;
  readonly #stream: MessageStream;
  readonly #mayDraw: () => boolean;
  #frame = "";
  #isDrawn = false;

  constructor({ stream, mayDraw = () => true }: ProgressOptions) {
    this.#stream = stream;
    this.#mayDraw = mayDraw;
  }

  write(text: string): void {
    this.#frame += text;
  }

  flush(): void {
    const rowsBelow = this.#frame.split("\n").length - 1;
    const up = rowsBelow > 0 ? `\x1b[${rowsBelow}A` : "";
    const mayDraw = this.#mayDraw();
    // A shell that has the terminal, after Ctrl-Z, may have written its line already, over the first bars.
    if (mayDraw)
      this.#stream.write(`${wrapOff}${this.#frame}${clearToEndOfScreen}${up}\r${wrapOn}`);
    else if (this.#isDrawn) this.#stream.write(clearToEndOfScreen);
    this.#isDrawn = mayDraw;
    this.#frame = "";
  }
}

/** Columns of a bar. The last column of the terminal stays free: terminals differ in when a full line wraps. */
export function columnsOf({ columns }: MessageStream): number {
  return (columns || 80) - 1;
}

/** The number of bars that leave a row free; without a free row the screen scrolls. */
export function barsThatFit({ rows }: MessageStream): number {
  return Math.max(1, (rows || 24) - 1);
}
