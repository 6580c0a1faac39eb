/**
 * The text of one progress bar: the parts that fit into a line. Every part but the name has a fixed
 * width, so that the parts keep their places while the figures change.
 */
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText, textWidth } from "../text/width.ts";
import { percentOf, secondsLeft, type Figures } from "./meter.ts";

const leastName = 6;
const leastGraph = 8;

/** The line of a running transfer, at most `columns` wide; `name` is already escaped. */
export function barLine(name: string, figures: Figures, columns: number): string {
  if (figures.size === undefined) return unsizedLine(name, figures, columns);
  const percent = ` ${String(percentOf(figures, figures.size)).padStart(3)}%`;
  const octets = `  ${formatPart(figures.position, figures.size).padStart(13)} `;
  const rate = ratePart(figures);
  const left = leftPart(figures);
  const all = percent + octets + rate + left;
  const graph = graphPart(figures, columns - all.length - nameColumns(columns));
  return nameAndParts(name, columns, [
    ...(graph === "" ? [] : [percent + graph + octets + rate + left]),
    all,
    percent + rate + left,
    percent + rate,
    percent,
  ]);
}

/**
 * The line of a tree: what `counts` says of its files, then octets and rate at the right end. In a
 * narrow window the octets are left out, then the rate, then the directories.
 */
export function treeLine(counts: string, figures: Figures, columns: number): string {
  const octets = ` ${formatPart(figures.position, figures.size ?? figures.position).padStart(13)}`;
  const rate = ratePart(figures);
  const fits = (part: string) => textWidth(counts) + part.length <= columns;
  const parts = [` ${octets} ${rate}`, ` ${rate}`].find(fits) ?? "";
  const [files = ""] = counts.split(", ");
  const shown = fits(parts) ? counts : files;
  return (fitText(shown, columns - parts.length) + parts).trimEnd();
}

/** The line that stays when a document is complete: all figures, the whole name, and its proof. */
export function finalLine(
  name: string,
  figures: Figures,
  columns: number,
  verified?: string,
): string {
  const time = `  in ${formatDuration(figures.elapsedSeconds)}`.padEnd(12);
  const proof = verified === undefined ? "" : ` ${verified}`;
  const parts = `${octetsPart(figures)} ${ratePart(figures)}${time}${proof}`;
  const room = Math.max(textWidth(name), columns - parts.length);
  const line = (fitText(name, room) + parts).trimEnd();
  // A line that needs a second row is aligned with no other.
  return textWidth(line) > columns ? name + parts.trimEnd().replace(/ {2,}/g, "  ") : line;
}

function unsizedLine(name: string, figures: Figures, columns: number): string {
  const time = `  ${formatDuration(Math.floor(figures.elapsedSeconds)).padStart(7)}`;
  const [octets, rate] = [octetsPart(figures), ` ${ratePart(figures)}`];
  return nameAndParts(name, columns, [octets + rate + time, octets + rate, octets]);
}

/** The name's width beside a graph is fixed, so that the graphs of several bars are aligned. */
function nameColumns(columns: number): number {
  return Math.max(16, Math.floor(columns / 5));
}

function octetsPart({ position }: Figures): string {
  return `  ${formatOctets(position).padStart(8)}`;
}

function ratePart({ rate }: Figures): string {
  return ` ${(rate === undefined ? "" : formatRate(rate)).padStart(10)}`;
}

function leftPart(figures: Figures): string {
  const seconds = secondsLeft(figures);
  if (seconds === undefined) return " ".repeat(13);
  return ` ${formatLeft(seconds)} left`.padStart(13);
}

/** Without minutes from ten hours on, which would need more columns. */
function formatLeft(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  if (hours >= 100) return ">99h";
  return hours < 10 ? formatDuration(seconds) : `${hours}h`;
}

function graphPart({ position, size = 0 }: Figures, columns: number): string {
  const inner = columns - " []".length;
  if (columns < leastGraph) return "";
  const done = position >= size ? inner : Math.floor((position / size) * inner);
  const head = done > 0 && done < inner ? ">" : "";
  return ` [${("=".repeat(done - head.length) + head).padEnd(inner)}]`;
}

/** The name and the first candidate that leaves room for it; if there is none, the name alone. */
function nameAndParts(name: string, columns: number, candidates: readonly string[]): string {
  const parts = candidates.find((candidate) => columns - textWidth(candidate) >= leastName) ?? "";
  return (fitText(name, columns - textWidth(parts)) + parts).trimEnd();
}
