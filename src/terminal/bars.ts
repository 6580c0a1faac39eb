/** Lines at the bottom of a terminal, drawn by cli-progress, which is loaded when there is something to draw. */
import type { MultiBar } from "cli-progress";
import { clearScreenDown } from "node:readline";

export interface MessageStream {
  write(text: string): unknown;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
  readonly rows?: number;
}

interface BarsOptions {
  readonly stream: MessageStream;
  /** Asked in each frame: the text stays above the lines. */
  readonly takeMessages: () => string;
  /** The lines to be drawn; none is wider than `columns`. */
  readonly lines: (columns: number, rows: number) => readonly string[];
}

export class Bars {
  readonly #options: BarsOptions;
  #newMultiBar: typeof MultiBar | undefined;
  #multiBar: MultiBar | undefined;
  #lines: readonly string[] = [];
  #isWanted = false;

  constructor(options: BarsOptions) {
    this.#options = options;
  }

  /** True if the next frame takes the messages that wait. */
  get areShown(): boolean {
    return this.#multiBar !== undefined;
  }

  show(): void {
    this.#isWanted = true;
    if (this.#newMultiBar === undefined) void this.#load();
    else if (this.#multiBar === undefined) this.#begin(this.#newMultiBar);
  }

  /** Clears the lines: the cursor is where they began. */
  hide(): void {
    this.#isWanted = false;
    this.#multiBar?.stop();
    this.#multiBar = undefined;
  }

  async #load(): Promise<void> {
    this.#newMultiBar ??= (await import("cli-progress")).MultiBar;
    if (this.#isWanted) this.show();
  }

  #begin(NewMultiBar: typeof MultiBar): void {
    const { takeMessages, lines } = this.#options;
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
    // The cursor is where the lines of the last frame begin.
    multiBar.on("redraw-pre", () => {
      const messages = takeMessages();
      if (messages !== "") {
        clearScreenDown(stream);
        stream.write(messages);
      }
      // Terminals differ in when a full line wraps, and show ^C behind it; more lines than rows would scroll.
      const [columns, rows] = [stream.columns || 80, stream.rows || 24];
      this.#lines = lines(columns - 2, Math.max(1, rows - 1));
      while (bars < this.#lines.length) addBar();
    });
    addBar();
    this.#multiBar = multiBar;
  }
}
