/** A terminal in memory: does what the few sequences that are used mean, and fails on others. */
import { EventEmitter } from "node:events";
import type { MessageStream } from "../../src/terminal/display.ts";

export class Screen extends EventEmitter implements MessageStream {
  readonly isTTY = true;
  columns: number;
  rows: number;
  written = "";
  writes = 0;
  wraps = true;
  #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows = 24) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string): boolean {
    this.written += text;
    this.writes++;
    for (const token of text.match(/\p{Cc}\[[?\d]*[A-Za-z]|[\s\S]/gu) ?? []) this.#take(token);
    return true;
  }

  resize(columns: number, rows: number): void {
    Object.assign(this, { columns, rows });
    this.emit("resize");
  }

  /** All lines so far that show anything, trailing spaces cut. */
  get lines(): string[] {
    return this.linesWithEmpty.filter((line) => line !== "");
  }

  get linesWithEmpty(): string[] {
    return this.#lines.map((line) => line.trimEnd());
  }

  get column(): number {
    return this.#column;
  }

  #take(token: string): void {
    const [, count = "1", move] = /^\p{Cc}\[(\d*)([ACDG])$/u.exec(token) ?? [];
    if (move === "A") this.#row -= Number(count);
    else if (move === "C") this.#column += Number(count);
    else if (move === "D") this.#column = Math.max(0, this.#column - Number(count));
    else if (move === "G") this.#column = Number(count) - 1;
    else if (token === "\r") this.#column = 0;
    else if (token === "\x07")
      return; // a beep
    else if (token === "\x1b[2K") this.#line = "";
    else if (token === "\n") this.#newline();
    else if (token === "\x1b[0K") this.#line = this.#line.slice(0, this.#column);
    else if (token === "\x1b[0J") this.#clearBelow();
    else if (token === "\x1b[?7l" || token === "\x1b[?7h") this.wraps = token.endsWith("h");
    else if (/\p{Cc}/u.test(token)) throw new Error(`unknown: ${JSON.stringify(token)}`);
    else this.#put(token);
  }

  get #line(): string {
    return this.#lines[this.#row] ?? "";
  }

  set #line(text: string) {
    this.#lines[this.#row] = text;
  }

  #newline(): void {
    this.#column = 0;
    if (++this.#row === this.#lines.length) this.#lines.push("");
  }

  #clearBelow(): void {
    this.#line = this.#line.slice(0, this.#column);
    this.#lines.length = this.#row + 1;
  }

  #put(character: string): void {
    const line = this.#line.padEnd(this.#column);
    this.#line = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column++;
  }
}
