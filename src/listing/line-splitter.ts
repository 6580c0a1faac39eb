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
    const begun = this.#unfinished.length;
    const octets = this.#unfinished + chunk.toString("latin1");
    this.#unfinished = ""; // drops a line that is too long
    let start = 0;
    let end = octets.indexOf("\n", begun);
    for (; end !== -1; end = octets.indexOf("\n", start)) {
      this.#cut(octets, start, end);
      start = end + 1;
    }
    checkLength(octets.length - start);
    this.#unfinished = octets.slice(start);
  }

  /** What follows the last LF is a line too. */
  end(): void {
    if (this.#unfinished !== "") this.#cut(this.#unfinished, 0, this.#unfinished.length);
    this.#unfinished = "";
  }

  #cut(octets: string, start: number, end: number): void {
    checkLength(end - start);
    const endsInCr = octets[end - 1] === "\r";
    this.#onLine(octets.slice(start, endsInCr ? end - 1 : end));
  }
}

function checkLength(length: number): void {
  if (length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
