import { FtpullError } from "../errors.ts";

/** Octets of a line without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/**
 * Splits octets (latin1) at CRLF or LF; other CRs belong to the lines. Some servers end each line in CR CR LF,
 * which counts if the first two lines show it: a name may end in CR.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";
  #firstLines: string[] | undefined = [];
  #endsInTwoCrs = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const lines = (this.#unfinished + chunk.toString("latin1")).split("\n");
    this.#unfinished = ""; // A line that is too long is dropped before the error.
    const unfinished = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
    checkLength(unfinished);
    this.#unfinished = unfinished;
  }

  end(): void {
    if (this.#unfinished !== "") this.#take(this.#unfinished);
    this.#unfinished = "";
    this.#giveFirst(this.#firstLines ?? []);
  }

  #take(line: string): void {
    checkLength(line);
    if (this.#firstLines === undefined) return this.#give(line);
    this.#firstLines.push(line);
    const isShown = this.#firstLines.length === 2 || !line.endsWith("\r\r");
    if (isShown) this.#giveFirst(this.#firstLines);
  }

  #giveFirst(lines: readonly string[]): void {
    this.#firstLines = undefined;
    this.#endsInTwoCrs ||= lines.length > 0 && lines.every((line) => line.endsWith("\r\r"));
    for (const line of lines) this.#give(line);
  }

  #give(line: string): void {
    const text = withoutCr(line);
    this.#onLine(this.#endsInTwoCrs ? withoutCr(text) : text);
  }
}

function withoutCr(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function checkLength(line: string): void {
  if (line.length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
