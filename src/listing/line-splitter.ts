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
  #firstLine = "";
  #endsInTwoCrs: boolean | undefined;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @throws FtpullError "protocol" at a line longer than `maxLineLength` */
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
    this.#settle(true);
  }

  #take(line: string): void {
    checkLength(line);
    if (this.#endsInTwoCrs === undefined) {
      const endsInTwo = line.endsWith("\r\r");
      if (endsInTwo && this.#firstLine === "") return void (this.#firstLine = line);
      this.#settle(endsInTwo);
    }
    this.#give(line);
  }

  #settle(endsInTwo: boolean): void {
    this.#endsInTwoCrs ??= endsInTwo && this.#firstLine !== "";
    if (this.#firstLine !== "") this.#give(this.#firstLine);
    this.#firstLine = "";
  }

  #give(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    this.#onLine(this.#endsInTwoCrs === true && text.endsWith("\r") ? text.slice(0, -1) : text);
  }
}

function checkLength(line: string): void {
  if (line.length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
