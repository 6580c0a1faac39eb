/**
 * The terminal that the bars are drawn on: gathers what one frame writes and sends it at once.
 * Takes the place of cli-progress's own, which rests below the bars, where a narrower window
 * leaves garbage, and which hides the cursor and stops wrapping for as long as bars are shown:
 * a killed program would leave the terminal so.
 */
import type { MessageStream } from "./progress.ts";

const wrapOff = "\x1b[?7l";
const wrapOn = "\x1b[?7h";

/**
 * What cli-progress calls to draw. Between frames the cursor rests at the start of the first
 * bar: wherever a resize moves that, all that was drawn is what follows.
 */
export class BarTerminal {
  readonly #stream: MessageStream;
  #frame = "";
  #rowsBelow = 0;

  constructor(stream: MessageStream) {
    this.#stream = stream;
  }

  /** Ends a frame: the cursor goes back to the first bar, and all is written in one piece. */
  flush(): void {
    const up = this.#rowsBelow > 0 ? `\x1b[${this.#rowsBelow}A` : "";
    this.#stream.write(`${wrapOff}${this.#frame}${up}\r${wrapOn}`);
    this.#frame = "";
    this.#rowsBelow = 0;
  }

  isTTY(): boolean {
    return true;
  }

  getWidth(): number {
    return columnsOf(this.#stream);
  }

  /** Only ever asked to go to the start of the line. */
  cursorTo(): void {
    this.#frame += "\r";
  }

  /** Nothing to do: a frame begins where it is to begin. */
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

  /** In two steps: tmux keeps a screen that is cleared as a whole in its history. */
  clearBottom(): void {
    this.#frame += "\r\x1b[K\x1b[C\x1b[J";
  }
}

/** Columns to write in: one stays free, since terminals differ in when a full line wraps. */
export function columnsOf({ columns }: MessageStream): number {
  return (columns || 80) - 1;
}

/** Bars that can be shown: as many as leave a row free, since otherwise the screen scrolls. */
export function barsThatFit({ rows }: MessageStream): number {
  return Math.max(1, (rows || 24) - 1);
}
