import { FtpullError } from "../errors.ts";

/** Octets of a line without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/** Splits octets (latin1) at CRLF or LF. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";

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
    const last = this.#unfinished;
    this.#unfinished = "";
    if (last !== "") this.#take(last);
  }

  #take(line: string): void {
    checkLength(line);
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}

function checkLength({ length }: string): void {
  const words = `cannot read the listing: a line is longer than ${maxLineLength} bytes`;
  if (length > maxLineLength) throw new FtpullError("protocol", words);
}
