/** Splits the octets of a listing into lines. */
import { FtpullError } from "../errors.ts";

/** In octets without LF; most systems limit paths to 4,096. */
export const maxLineLength = 64 * 1024;

/**
 * A line ends in CRLF or LF; other CRs belong to it. Some servers end every line in CR CR LF: that
 * counts once the first two lines end so, since a name may end in CR. `onLine` gets octets (latin1).
 */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #unfinished = "";
  /** The first line, held back until the next one shows what its second CR is; undefined later. */
  #first: string | undefined = "";
  #endsInTwo = false;

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** @throws FtpullError "protocol" at a line longer than `maxLineLength` */
  push(chunk: Buffer): void {
    const lines = (this.#unfinished + chunk.toString("latin1")).split("\n");
    this.#unfinished = ""; // drops a line that is too long
    const unfinished = lines.pop() ?? "";
    for (const line of lines) this.#take(line);
    checkLength(unfinished);
    this.#unfinished = unfinished;
  }

  /** What follows the last LF is a line too. */
  end(): void {
    if (this.#unfinished !== "") this.#take(this.#unfinished);
    this.#unfinished = "";
    this.#giveFirst(true);
  }

  #take(line: string): void {
    checkLength(line);
    if (this.#first === undefined) return this.#give(line);
    const endsInTwo = line.endsWith("\r\r");
    if (this.#first === "" && endsInTwo) this.#first = line;
    else {
      this.#giveFirst(endsInTwo);
      this.#give(line);
    }
  }

  /** Where `endsInTwo`, so did every line. */
  #giveFirst(endsInTwo: boolean): void {
    const first = this.#first;
    this.#first = undefined;
    if (first === undefined || first === "") return;
    this.#endsInTwo = endsInTwo;
    this.#give(first);
  }

  #give(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    this.#onLine(this.#endsInTwo && text.endsWith("\r") ? text.slice(0, -1) : text);
  }
}

function checkLength(line: string): void {
  if (line.length <= maxLineLength) return;
  const text = `cannot read the listing: a line is longer than ${maxLineLength} octets`;
  throw new FtpullError("protocol", text);
}
