/** --no-verbose: one line for each document, when it has arrived. */
import type { DocumentProgress, DocumentStart } from "../documents/events.ts";
import { formatOctets } from "../text/units.ts";
import { Meter } from "./meter.ts";
import { timeText } from "./progress-plain.ts";
import type { Progress } from "./progress.ts";

export class FinalLines implements Progress {
  readonly #print: (line: string) => void;
  readonly #now: () => number;

  /** `print` has to escape the text. */
  constructor(print: (line: string) => void, now: () => number) {
    this.#print = print;
    this.#now = now;
  }

  begin(document: DocumentStart): DocumentProgress {
    const meter = new Meter(document, this.#now());
    return {
      advance: (position) => void (meter.position = position),
      end: (whole) => {
        if (!whole) return;
        const octets = `${formatOctets(meter.position)} from ${document.url}`;
        const time = timeText(meter.finalFigures(this.#now()));
        this.#print(`${document.target}: ${octets} ${time}`);
      },
    };
  }

  close(): void {}
}
