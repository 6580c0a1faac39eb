/** Output of --spider: a line of size, time and URL for each file or directory. */
import type { Destination } from "../../files/destination.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { type Entry, timeText } from "../../listing/entry.ts";
import { escapeControls } from "../../text/escape.ts";
import type { Result } from "../result.ts";

/** Facts of a document; a listing's time isn't exact, and only files have a size. */
export interface Found {
  readonly kind: "file" | "directory" | "link";
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
  readonly precision?: Entry["precision"];
}

const pieceSize = 16 * 1024;

export class Inventory {
  readonly #output: Pick<Destination, "writeAt"> | undefined;
  #text = "";

  /** Without an output no lines are printed: --json has results, and -q the status. */
  constructor(output: Pick<Destination, "writeAt"> | undefined) {
    this.#output = output;
  }

  get hasLines(): boolean {
    return this.#output !== undefined;
  }

  async printFile({ size, modified }: Facts, url: string): Promise<Result> {
    await this.print({ kind: "file", size, modified }, url);
    return { url, status: "done", exit: 0, size, modified };
  }

  async print(found: Found, url: string): Promise<void> {
    this.add(found, url);
    await this.flush();
  }

  /** Adds a line; true if so much text waits that it is to be flushed. */
  add({ kind, size, modified, precision }: Found, url: string): boolean {
    if (this.#output === undefined) return false;
    const shownUrl = escapeControls(kind === "directory" ? url.replace(/\/?$/, "/") : url);
    this.#text += `${size ?? "-"}\t${shortTime(modified, precision) ?? "-"}\t${shownUrl}\n`;
    return this.#text.length >= pieceSize;
  }

  async flush(): Promise<void> {
    const octets = Buffer.from(this.#text);
    this.#text = "";
    if (octets.length > 0) await this.#output?.writeAt(0, octets);
  }
}

/** A LIST's time has no known zone, no seconds and often no hour; others are in UTC. */
export function shortTime(modified: Date | undefined, precision: Found["precision"] = "exact") {
  return modified && timeText(modified, precision).replace(/\.\d+/, "");
}
