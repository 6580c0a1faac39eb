/** Output of --spider: for each file or directory a line of size, time and name, and a total. */
import type { Destination } from "../../files/destination.ts";
import { timeText } from "../../listing/entry.ts";
import { escapeControls } from "../../text/escape.ts";
import { counted } from "../../text/units.ts";
import type { TreeEntry } from "../tree/tree-listing.ts";

/** Facts of a document; `isLink` if a run would keep the link. A listing's time isn't exact; only files have a size. */
interface Found {
  readonly isDirectory: boolean;
  readonly isLink?: boolean;
  readonly size: number | undefined;
  readonly modified: Date | undefined;
  readonly precision?: TreeEntry["precision"];
}

const pieceSize = 16 * 1024;

const entriesBetweenWaits = 5000;

export class Inventory {
  hasTree = false;
  readonly #output: Pick<Destination, "writeAt"> | undefined;
  #text = "";
  #written = Promise.resolve();
  #ahead = 0;
  #files = 0;
  #directories = 0;
  #links = 0;
  #octets = 0;
  #unsized = 0;
  #gone = 0;

  constructor(output: Pick<Destination, "writeAt"> | undefined) {
    this.#output = output;
  }

  get hasLines(): boolean {
    return this.#output !== undefined;
  }

  get isBehind(): boolean {
    return this.#ahead >= entriesBetweenWaits;
  }

  print(found: Found, name: string): void {
    const { isDirectory, isLink, size } = found;
    if (isLink) this.#links++;
    else if (isDirectory) this.#directories++;
    else this.#files++;
    if (!isDirectory && !isLink && size === undefined) this.#unsized++;
    this.#octets += size ?? 0;
    const shownName = isDirectory ? name.replace(/\/?$/, "/") : name;
    this.#add(`${size ?? "-"}\t${timeOf(found) ?? "-"}\t${escapeControls(shownName)}\n`);
  }

  gone(name: string): void {
    this.#gone++;
    this.#add(`- ${escapeControls(name)}\n`);
  }

  async caughtUp(): Promise<void> {
    this.#ahead = 0;
    this.#flush();
    await this.#written;
  }

  async total(): Promise<void> {
    const unsized = this.#unsized === 0 ? "" : `, ${this.#unsized} of unknown size`;
    const files = counted(this.#files, "file") + unsized;
    const directories = counted(this.#directories, "directory", "directories");
    const links = this.#links === 0 ? "" : `, ${counted(this.#links, "link")}`;
    const octets = counted(this.#octets, "octet");
    const gone = this.#gone === 0 ? "" : `, ${this.#gone} to be deleted`;
    if (this.hasTree) this.#add(`# ${files}, ${directories}${links}, ${octets}${gone}\n`);
    await this.caughtUp();
  }

  #add(text: string): void {
    this.#ahead++;
    if (this.#output !== undefined) this.#text += text;
    if (this.#text.length >= pieceSize) this.#flush();
  }

  #flush(): void {
    if (this.#text === "") return;
    // A text made of many parts takes three times the memory of its octets.
    const octets = Buffer.from(this.#text);
    this.#text = "";
    this.#written = this.#written.then(() => this.#output?.writeAt(0, octets));
    this.#written.catch(() => undefined); // the next caller of `caughtUp` gets the error
  }
}

/** A LIST's time has no known zone, no seconds and often no hour; others are in UTC. */
export function timeOf({ modified, precision = "exact" }: Found): string | undefined {
  const isCoarse = precision === "minute" || precision === "day";
  return modified && timeText(modified, isCoarse ? precision : "exact").replace(/\.\d+/, "");
}
