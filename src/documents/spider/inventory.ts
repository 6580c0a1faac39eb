/** Output of --spider: a line of size, time and URL for each file or directory, and a total. */
import type { Destination } from "../../files/destination.ts";
import { timeText } from "../../listing/entry.ts";
import { escapeControls } from "../../text/escape.ts";
import { counted } from "../../text/units.ts";
import type { Result } from "../result.ts";
import { shownTime, type TreeEntry } from "../tree/tree-listing.ts";

/** Facts of a document; a listing's time isn't exact, and only files have a size. */
interface Found {
  readonly kind: "file" | "directory" | "link";
  readonly size?: number | undefined;
  readonly modified: Date | undefined;
  readonly precision?: TreeEntry["precision"];
}

const pieceSize = 16 * 1024;

export class Inventory {
  hasTree = false;
  readonly #output: Pick<Destination, "writeAt"> | undefined;
  #text = "";
  #pieces: Buffer[] = [];
  readonly #counts = { file: 0, directory: 0, link: 0 };
  #octets = 0;
  #unsized = 0;

  constructor(output: Pick<Destination, "writeAt"> | undefined) {
    this.#output = output;
  }

  /** Prints an entry as the listing shows it; returns the result of a file or link where no lines are printed. */
  printEntry(entry: TreeEntry, url: string): Omit<Result, "url"> | undefined {
    const { type, precision } = entry;
    const kind = type === "link" || type === "directory" ? type : "file";
    const size = kind === "file" ? entry.size : undefined;
    const modified = shownTime(entry);
    this.print({ kind, size, modified, precision }, url);
    if (this.#output !== undefined || kind === "directory") return undefined;
    return { status: "done", exit: 0, size, modified: timeOf(modified, precision) };
  }

  print({ kind, size, modified, precision }: Found, url: string): void {
    this.#counts[kind]++;
    if (kind === "file" && size === undefined) this.#unsized++;
    this.#octets += size ?? 0;
    const shownUrl = kind === "directory" ? url.replace(/\/?$/, "/") : url;
    this.#add(
      `${size ?? "-"}\t${timeOf(modified, precision) ?? "-"}\t${escapeControls(shownUrl)}\n`,
    );
  }

  async caughtUp(): Promise<void> {
    const octets = Buffer.concat([...this.#pieces, Buffer.from(this.#text)]);
    this.#pieces = [];
    this.#text = "";
    if (octets.length > 0) await this.#output?.writeAt(0, octets);
  }

  /** The total of trees, once all lines are written. */
  async total(): Promise<string | undefined> {
    await this.caughtUp();
    if (!this.hasTree) return undefined;
    const { file, directory, link } = this.#counts;
    const unsized = this.#unsized === 0 ? "" : `, ${this.#unsized} of unknown size`;
    const directories = counted(directory, "directory", "directories");
    const links = link === 0 ? "" : `, ${counted(link, "link")}`;
    const bytes = counted(this.#octets, "byte");
    return `total: ${counted(file, "file")}${unsized}, ${directories}${links}, ${bytes}`;
  }

  #add(line: string): void {
    if (this.#output !== undefined) this.#text += line;
    if (this.#text.length < pieceSize) return;
    // A text made of many parts takes three times the memory of its octets.
    this.#pieces.push(Buffer.from(this.#text));
    this.#text = "";
  }
}

/** A LIST's time has no known zone, no seconds and often no hour; others are in UTC. */
function timeOf(modified: Date | undefined, precision: TreeEntry["precision"] = "exact") {
  return modified && timeText(modified, precision).replace(/\.\d+/, "");
}
