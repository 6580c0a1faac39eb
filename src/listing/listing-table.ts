/** A listing as a table, sorted by name: type and permissions, size, date, time, name; `-` is unknown. */
import { formatLocal, formatOctets } from "../text/units.ts";
import { type Entry, timeText } from "./entry.ts";

const typeLetters = { file: "-", directory: "d", link: "l", unknown: "?", unread: "?" };

/** Rows are held until the end: a listing for a person. */
export class ListingTable {
  readonly #rows: { readonly name: string; readonly text: string }[] = [];
  readonly #show: (octets: string) => string;

  constructor(show: (octets: string) => string) {
    this.#show = show;
  }

  entry(entry: Entry): string {
    this.#rows.push({ name: entry.name, text: `${tableRow(entry, this.#show)}\n` });
    return "";
  }

  end(): string {
    const rows = this.#rows.splice(0).sort((one, other) => (one.name < other.name ? -1 : 1));
    return rows.map(({ text }) => text).join("");
  }
}

function tableRow(entry: Entry, show: (octets: string) => string): string {
  const kind = typeLetters[entry.type] + (entry.permissions ?? "");
  const size = entry.size === undefined ? "-" : shortSize(entry.size);
  const [date = "-", time = "-"] = dateAndTime(entry);
  const target = entry.target === undefined ? "" : ` -> ${show(entry.target)}`;
  const columns = [kind.padEnd(10), size.padStart(5), `${date.padEnd(10)} ${time.padEnd(5)}`];
  return [...columns, show(entry.name) + target].join("  ");
}

function dateAndTime({ modified, precision }: Entry): string[] {
  if (modified === undefined) return [];
  return precision === "exact"
    ? formatLocal(modified).split(" ")
    : timeText(modified, precision).split("T");
}

/** A size in at most five columns, like that of `ls -h`: `532`, `1.4K`, `23.0M`. */
function shortSize(octets: number): string {
  return formatOctets(octets).replace(/ (?:(.)i)?B$/, "$1");
}
