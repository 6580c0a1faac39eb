/** Cuts the octets of a data connection into the lines of a listing. */
import { FtpullError } from "../../errors.ts";

/** The longest line that is read, in octets without its LF; paths end at 4,096 on most systems. */
export const maxLineLength = 64 * 1024;

/**
 * Calls `onLine` for each line, without its end and with one char an octet (latin1), however
 * the octets were cut into chunks. A line ends in CRLF or LF; a CR elsewhere belongs to the line.
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @throws FtpullError "protocol" at a line longer than `maxLineLength` */
  push(chunk: Buffer): void {
    const octets = chunk.toString("latin1");
    let start = 0;
    let end: number;
    while ((end = octets.indexOf("\n", start)) !== -1) {
      this.#finish(octets.slice(start, end));
      start = end + 1;
    }
    this.#extend(octets.slice(start));
  }

  /** The data connection has ended: what came after the last LF is a line too. */
  end(): void {
    if (this.#unfinished !== "") this.#finish("");
  }

  #finish(lastPart: string): void {
    this.#extend(lastPart);
    const line = this.#unfinished;
    this.#unfinished = "";
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }

  #extend(part: string): void {
    this.#unfinished += part;
    if (this.#unfinished.length > maxLineLength) {
      throw new FtpullError(
        "protocol",
        `cannot read the listing: a line is longer than ${maxLineLength} octets`,
      );
    }
  }
}
