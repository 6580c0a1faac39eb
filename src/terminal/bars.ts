/** Lines at the bottom of a terminal, drawn by cli-progress, which is loaded when there is something to draw. */
import type { MultiBar } from "cli-progress";

export interface MessageStream {
  write(text: string): unknown;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Gives the lines of a frame; none is wider than `columns`. */
type Lines = (columns: number, rows: number) => readonly string[];

export class Bars {
  readonly #options: { readonly stream: MessageStream };
  readonly #linesOf: Lines;
  #newMultiBar: typeof MultiBar | undefined;
  #multiBar: MultiBar | undefined;
  #lines: readonly string[] = [];
  #isWanted = false;

  /** The stream is read from `options` when there is something to write. */
  constructor(options: { readonly stream: MessageStream }, linesOf: Lines) {
    this.#options = options;
    this.#linesOf = linesOf;
  }

  /** Writes messages; above drawn lines they appear with the next frame. */
  write(text: string): void {
    if (this.#multiBar === undefined) this.#options.stream.write(text);
    else this.#multiBar.log(clearDown + text);
  }

  show(): void {
    this.#isWanted = true;
    if (this.#newMultiBar === undefined) void this.#load();
    else this.#multiBar ??= this.#begin(this.#newMultiBar);
  }

  /** Writes the messages that wait, and clears the lines: the cursor is where they began. */
  hide(): void {
    this.#isWanted = false;
    this.#multiBar?.update();
    this.#multiBar?.stop();
    this.#multiBar = undefined;
  }

  async #load(): Promise<void> {
    this.#newMultiBar ??= (await import("cli-progress")).MultiBar;
    if (this.#isWanted) this.show();
  }

  #begin(NewMultiBar: typeof MultiBar): MultiBar {
    const stream = this.#options.stream as NodeJS.WriteStream;
    const multiBar = new NewMultiBar({
      stream,
      format: (_options, _params, { row }: { row: number }) => this.#lines[row] ?? "",
      clearOnComplete: true,
      linewrap: true,
      forceRedraw: true,
    });
    let bars = 0;
    const addBar = (): unknown => multiBar.create(0, 0, { row: bars++ });
    multiBar.on("redraw-pre", () => {
      // Terminals differ in when a full line wraps, and show ^C behind it; more lines than rows would scroll.
      const [columns, rows] = [stream.columns || 80, stream.rows || 24];
      this.#lines = this.#linesOf(columns - 2, Math.max(1, rows - 1));
      while (bars < this.#lines.length) addBar();
    });
    addBar();
    return multiBar;
  }
}

/** Clears the screen from the cursor on. */
const clearDown = "\x1b[0J";
