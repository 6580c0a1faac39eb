/** A listing as a table: type and permissions, size, time, name. */
import { formatLocal, formatOctets, formatUtc } from "../text/units.ts";
import type { Entry } from "./entry.ts";

/** The number of entries that determine the widths of the columns. */
const heldBack = 500;

const typeLetters = { file: "-", directory: "d", link: "l", unknown: "?" };

export class ListingTable {
  readonly encoding = "utf8";
  readonly #show: (octets: string) => string;
  readonly #widths = [0, 0, 0];
  /** The first rows; undefined once the widths are known. */
  #held: string[][] | undefined = [];

  constructor(show: (octets: string) => string) {
    this.#show = show;
  }

  entry(entry: Entry): string {
    const row = this.#row(entry);
    if (!this.#held) return this.#line(row);
    this.#held.push(row);
    return this.#held.length < heldBack ? "" : this.end();
  }

  end(): string {
    const rows = this.#held ?? [];
    this.#held = undefined;
    for (const row of rows) {
      this.#widths.forEach((width, column) => {
        this.#widths[column] = Math.max(width, row[column]?.length ?? 0);
      });
    }
    return rows.map((row) => this.#line(row)).join("");
  }

  #row(entry: Entry): string[] {
    const target = entry.target === undefined ? "" : ` -> ${this.#show(entry.target)}`;
    return [
      typeLetters[entry.type] + (entry.permissions ?? ""),
      entry.size === undefined ? "" : shortSize(entry.size),
      entry.modified === undefined ? "" : shownTime(entry.modified, entry),
      this.#show(entry.name) + target,
    ];
  }

  /** Empty columns are left out. */
  #line([type = "", size = "", modified = "", name = ""]: string[]): string {
    const [typeWidth = 0, sizeWidth = 0, modifiedWidth = 0] = this.#widths;
    const cells = [
      type.padEnd(typeWidth),
      size.padStart(sizeWidth),
      modified.padEnd(modifiedWidth),
    ];
    return `${[...cells, name].filter((cell) => cell !== "").join("  ")}\n`;
  }
}

/** UTC becomes local time; a time of an unknown zone stays as it came. */
function shownTime(modified: Date, { modifiedExact, isDay }: Entry): string {
  if (modifiedExact) return formatLocal(modified);
  return formatUtc(modified)
    .slice(0, isDay ? 10 : 16)
    .replace("T", " ");
}

/** As `ls -h`, in at most five columns: `532`, `1.4K`, `23.0M`. */
function shortSize(octets: number): string {
  return formatOctets(octets)
    .replace(/ B$/, "")
    .replace(/ (.)iB$/, "$1");
}
