/** Splits what a listing sends into lines, which have a longest length. */
import { FtpullError } from "../errors.ts";

/** Octets of a line without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/** Splits octets (latin1) at CRLF or LF. Where the first line ends in CR CR LF, as those of the GridFTP server do, all do. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";
  #endsInTwoCrs: boolean | undefined;

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
    const hasTwoCrs = line.endsWith("\r\r");
    this.#endsInTwoCrs ??= hasTwoCrs;
    // The first CR was the end of a name, which has been given without it.
    if (this.#endsInTwoCrs && !hasTwoCrs) throw unreadable("its lines end in different ways");
    if (this.#endsInTwoCrs) this.#onLine(line.slice(0, -2));
    else this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}

function checkLength({ length }: string): void {
  if (length > maxLineLength) throw unreadable(`a line is longer than ${maxLineLength} bytes`);
}

function unreadable(why: string): FtpullError {
  return new FtpullError("protocol", `cannot read the listing: ${why}`);
}
