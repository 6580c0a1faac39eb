/** A listing as a table: type and permissions, size, time, name. */
import { formatLocal, formatOctets } from "../text/units.ts";
import { type Entry, type Precision, timeText } from "./entry.ts";

/** The first entries determine the widths of the columns. */
const heldBack = 500;

const typeLetters = { file: "-", directory: "d", link: "l", unknown: "?", unread: "?" };

export class ListingTable {
  readonly #show: (octets: string) => string;
  #widths: number[] = [];
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
    if (rows.length > 0)
      this.#widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
    return rows.map((row) => this.#line(row)).join("");
  }

  #row(entry: Entry): string[] {
    const target = entry.target === undefined ? "" : ` -> ${this.#show(entry.target)}`;
    return [
      typeLetters[entry.type] + (entry.permissions ?? ""),
      entry.size === undefined ? "" : shortSize(entry.size),
      entry.modified === undefined ? "" : shownTime(entry.modified, entry.precision),
      this.#show(entry.name) + target,
    ];
  }

  #line(row: readonly string[]): string {
    const cells = row.map((cell, column) => {
      const width = this.#widths[column] ?? 0;
      return column === 1 ? cell.padStart(width) : cell.padEnd(width);
    });
    // A column that was empty in all rows held back takes no room.
    return `${cells.filter((cell) => cell !== "").join("  ")}\n`;
  }
}

/** An exact time is in UTC, and becomes local; others have an unknown zone, and stay as they came. */
function shownTime(modified: Date, precision: Precision): string {
  return precision === "exact"
    ? formatLocal(modified)
    : timeText(modified, precision).replace("T", " ");
}

/** A size in at most five columns, like that of `ls -h`: `532`, `1.4K`, `23.0M`. */
function shortSize(octets: number): string {
  return formatOctets(octets).replace(/ (?:(.)i)?B$/, "$1");
}
