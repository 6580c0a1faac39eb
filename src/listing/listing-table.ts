/** A row of a listing's table: type and permissions, size, time, name. */
import { formatLocal, formatOctets } from "../text/units.ts";
import { type Entry, type Precision, timeText } from "./entry.ts";

const typeLetters = { file: "-", directory: "d", link: "l", unknown: "?", unread: "?" };

export function tableRow(entry: Entry, show: (octets: string) => string): string {
  const { size, modified, precision } = entry;
  const kind = typeLetters[entry.type] + (entry.permissions ?? "");
  const target = entry.target === undefined ? "" : ` -> ${show(entry.target)}`;
  const name = show(entry.name) + target;
  if (size === undefined && modified === undefined) return `${kind}  ${name}`;
  const shownSize = size === undefined ? "" : shortSize(size);
  const time = modified === undefined ? "" : shownTime(modified, precision);
  return [kind, shownSize.padStart(5), time.padEnd(16), name].join("  ");
}

function shownTime(modified: Date, precision: Precision): string {
  return precision === "exact"
    ? formatLocal(modified)
    : timeText(modified, precision).replace("T", " ");
}

/** A size in at most five columns, like that of `ls -h`: `532`, `1.4K`, `23.0M`. */
function shortSize(octets: number): string {
  return formatOctets(octets).replace(/ (?:(.)i)?B$/, "$1");
}
