/**
 * The terminal that cli-progress draws on: collects the writes of a frame and sends them together.
 * It replaces cli-progress's own terminal, which leaves the cursor below the bars, where narrowing
 * the window leaves garbage, and which hides the cursor and turns wrapping off while bars are
 * shown: a killed program would leave the terminal like that.
 */
import type { MessageStream, ProgressOptions } from "./progress.ts";

const wrapOff = "\x1b[?7l";
const wrapOn = "\x1b[?7h";

/**
 * Between frames the cursor is at the start of the first bar: wherever a resize moves that, the
 * bars are what follows the cursor.
 */
export class BarTerminal {
  readonly #stream: MessageStream;
  readonly #mayDraw: (() => boolean) | undefined;
  #frame = "";
  #rowsBelow = 0;

  constructor({ stream, mayDraw }: ProgressOptions) {
    this.#stream = stream;
    this.#mayDraw = mayDraw;
  }

  /** Ends a frame: moves the cursor back to the first bar, and writes all in one piece. */
  flush(): void {
    const up = this.#rowsBelow > 0 ? `\x1b[${this.#rowsBelow}A` : "";
    if (this.#mayDraw?.() ?? true) this.#stream.write(`${wrapOff}${this.#frame}${up}\r${wrapOn}`);
    this.#frame = "";
    this.#rowsBelow = 0;
  }

  isTTY(): boolean {
    return true;
  }

  getWidth(): number {
    return columnsOf(this.#stream);
  }

  /** cli-progress only moves to the start of the line. */
  cursorTo(): void {
    this.#frame += "\r";
  }

  /** Nothing to do: the cursor is there already. */
  cursorRelativeReset(): void {}

  write(text: string): void {
    this.#frame += text;
  }

  newline(): void {
    this.#frame += "\n";
    this.#rowsBelow++;
  }

  clearRight(): void {
    this.#frame += "\x1b[K";
  }

  /** In two steps: tmux puts a screen that is cleared at once into its history. */
  clearBottom(): void {
    this.#frame += "\r\x1b[K\x1b[C\x1b[J";
  }
}

/** The columns to write in. One stays free: terminals differ in when a full line wraps. */
export function columnsOf({ columns }: MessageStream): number {
  return (columns || 80) - 1;
}

/** How many bars leave a row free; without a free row the screen scrolls. */
export function barsThatFit({ rows }: MessageStream): number {
  return Math.max(1, (rows || 24) - 1);
}
