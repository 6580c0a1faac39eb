/** Standard error: messages, the lines of progress below them, drawn by cli-progress, and room for prompts. */
import type { MultiBar } from "cli-progress";

export interface MessageStream {
  write(text: string): unknown;
  /** Undefined or 0 if the terminal does not report it. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Progress that is drawn until it is idle; none of its lines is wider than `columns`. */
interface Drawn {
  readonly isIdle: boolean;
  lines(columns: number, rows: number): readonly string[];
}

export class Display {
  readonly #options: { readonly stream: MessageStream };
  readonly #drawn: Drawn | undefined;
  /** Loaded when there is something to draw. */
  #newMultiBar: typeof MultiBar | undefined;
  #multiBar: MultiBar | undefined;
  #lines: readonly string[] = [];
  /** Messages that wait for the end of a prompt. */
  #waitingText = "";
  #isAtPrompt = false;
  #prompts: Promise<unknown> = Promise.resolve();

  /** The stream is read from `options` when there is something to write. */
  constructor(options: { readonly stream: MessageStream }, drawn: Drawn | undefined) {
    this.#options = options;
    this.#drawn = drawn;
  }

  print(line: string): void {
    this.#waitingText += `${line}\n`;
    this.refresh();
  }

  /** Asks one question after the other. The screen is clear for each: nothing is drawn, and messages wait. */
  prompt<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#prompts.then(async () => {
      this.#endBars();
      this.#isAtPrompt = true;
      try {
        return await ask();
      } finally {
        this.#isAtPrompt = false;
        this.refresh();
      }
    });
    this.#prompts = answer.catch(() => undefined);
    return answer;
  }

  /** Writes the messages that wait; those above drawn lines appear with the next frame. Draws while there is progress. */
  refresh(): void {
    if (this.#isAtPrompt) return;
    const text = this.#waitingText;
    this.#waitingText = "";
    if (text !== "" && this.#multiBar !== undefined) this.#multiBar.log(clearDown + text);
    else if (text !== "") this.#options.stream.write(text);
    if (this.#drawn === undefined || this.#drawn.isIdle) this.#endBars();
    else this.#beginBars(this.#drawn);
  }

  #beginBars(drawn: Drawn): void {
    if (this.#newMultiBar === undefined) void this.#load();
    else this.#multiBar ??= this.#barsOf(drawn, this.#newMultiBar);
  }

  /** Writes the messages that wait for a frame, and clears the lines: the cursor is where they began. */
  #endBars(): void {
    this.#multiBar?.update();
    this.#multiBar?.stop();
    this.#multiBar = undefined;
  }

  async #load(): Promise<void> {
    this.#newMultiBar = (await import("cli-progress")).MultiBar;
    this.refresh();
  }

  #barsOf(drawn: Drawn, NewMultiBar: typeof MultiBar): MultiBar {
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
      this.#lines = drawn.lines(columns - 2, Math.max(1, rows - 1));
      while (bars < this.#lines.length) addBar();
    });
    addBar();
    return multiBar;
  }
}

/** Clears the screen from the cursor on. */
const clearDown = "\x1b[0J";
