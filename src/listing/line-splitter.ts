/** Splits the octets of a listing into lines. */
import { FtpullError } from "../errors.ts";

/** In octets without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/** A line ends in CRLF or LF; other CRs belong to it. `onLine` gets octets (latin1). */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @throws FtpullError "protocol" at a line longer than `maxLineLength` */
  push(chunk: Buffer): void {
    const lines = (this.#unfinished + chunk.toString("latin1")).split("\n");
    this.#unfinished = ""; // drops a line that is too long
    const unfinished = lines.pop() ?? "";
    for (const line of lines) this.#give(line);
    checkLength(unfinished);
    this.#unfinished = unfinished;
  }

  /** What follows the last LF is a line too. */
  end(): void {
    if (this.#unfinished !== "") this.#give(this.#unfinished);
    this.#unfinished = "";
  }

  #give(line: string): void {
    checkLength(line);
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}

function checkLength(line: string): void {
  if (line.length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
