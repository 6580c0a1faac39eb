/**
 * Output of --spider: a line for each file or directory, as size, time and name with a tab
 * between them, and a total.
 */
import type { Destination } from "../../files/destination.ts";
import { type Entry, timeText } from "../../listing/entry.ts";
import { escapeControls } from "../../text/escape.ts";
import { SerialQueue } from "../serial-queue.ts";

export type Found = Pick<Entry, "size" | "modified" | "precision"> & {
  readonly isDirectory: boolean;
};

export class Inventory {
  /** For lines that stay together, as those of one directory. */
  readonly turns = new SerialQueue();
  /** Whether there is more to it than documents. */
  hasTree = false;
  readonly #output: Pick<Destination, "writeAt"> | undefined;
  #files = 0;
  #directories = 0;
  #octets = 0;
  #unsized = 0;

  /** Without an output there are no lines: each file is a result of the run. */
  constructor(output: Pick<Destination, "writeAt"> | undefined) {
    this.#output = output;
  }

  get hasLines(): boolean {
    return this.#output !== undefined;
  }

  print(found: Found, name: string): Promise<void> {
    const line = this.lineOf(found, name);
    return this.turns.take(() => this.write(line));
  }

  /** Called in a turn. */
  async write(text: string): Promise<void> {
    await this.#output?.writeAt(0, Buffer.from(text));
  }

  /** Counts an entry and gives its line; `name` is text, with or without the slash of a directory. */
  lineOf(found: Found, name: string): string {
    const { isDirectory, size } = found;
    if (isDirectory) this.#directories++;
    else this.#files++;
    if (!isDirectory && size !== undefined) this.#octets += size;
    else if (!isDirectory) this.#unsized++;
    const shownSize = isDirectory ? "-" : (size ?? "-");
    const shownName = isDirectory ? name.replace(/\/?$/, "/") : name;
    return `${shownSize}\t${timeOf(found) ?? "-"}\t${escapeControls(shownName)}\n`;
  }

  /** Prints the total of trees. */
  async total(): Promise<void> {
    if (!this.hasTree) return;
    const unsized = this.#unsized === 0 ? "" : `, ${this.#unsized} of unknown size`;
    const files = counted(this.#files, "file", "files") + unsized;
    const directories = counted(this.#directories, "directory", "directories");
    await this.write(`# ${files}, ${directories}, ${counted(this.#octets, "octet", "octets")}\n`);
  }
}

function counted(count: number, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** In UTC where that is known; a LIST's time has no zone, no seconds and often no hour. */
export function timeOf({ modified, precision }: Found): string | undefined {
  return modified && timeText(modified, precision).replace(/\.\d+/, "");
}
