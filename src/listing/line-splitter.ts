import { FtpullError } from "../errors.ts";

/** Octets of a line without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/** Splits octets (latin1) at LF; CRs before it, of which some servers send two, belong to the line's end. */
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
    if (this.#unfinished !== "") this.#take(this.#unfinished);
    this.#unfinished = "";
  }

  #take(line: string): void {
    checkLength(line);
    this.#onLine(line.replace(/\r+$/, ""));
  }
}

function checkLength(line: string): void {
  if (line.length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
