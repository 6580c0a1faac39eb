/** The text of one bar. Each part but the name has a fixed width, and so keeps its place. */
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText, textWidth } from "../text/width.ts";
import { type MeterReading, percentOf, secondsLeft } from "./meter.ts";

const leastName = 6;
const leastGraph = 8;

/** The line of a running transfer, at most `columns` wide; `name` has to be escaped. */
export function barLine(name: string, reading: MeterReading, columns: number): string {
  const { size, elapsedSeconds } = reading;
  const [octets, rate] = [octetsPart(reading), ratePart(reading)];
  if (size === undefined) {
    const time = `  ${formatDuration(Math.floor(elapsedSeconds)).padStart(7)}`;
    return fitted(name, columns, [octets + rate + time, octets + rate, octets]);
  }
  const percent = percentOf(reading, size);
  const percentPart = ` ${String(percent).padStart(3)}%`;
  const left = leftPart(reading);
  const all = octets + rate + left;
  // With a graph, the name has a fixed width: graphs of several bars are aligned.
  const others = Math.max(16, Math.floor(columns / 5)) + percentPart.length + all.length;
  const graph = graphPart(percent, columns - others);
  const narrow = [rate + left, rate, ""].map((parts) => percentPart + parts);
  return fitted(name, columns, [percentPart + graph + all, ...narrow]);
}

export function treeLine(counts: string, reading: MeterReading, columns: number): string {
  const rate = ratePart(reading);
  return fitted(counts, columns, [octetsPart(reading) + rate, rate], textWidth(counts));
}

function octetsPart({ position, size }: MeterReading): string {
  if (size === undefined) return `  ${formatOctets(position).padStart(8)}`;
  return `  ${formatPart(position, size).padStart(13)}`;
}

function ratePart({ rate }: MeterReading): string {
  return `  ${(rate === undefined ? "" : formatRate(rate)).padStart(10)}`;
}

function leftPart(reading: MeterReading): string {
  const seconds = secondsLeft(reading);
  if (seconds === undefined) return " ".repeat(13);
  return ` ${seconds < 36_000 ? formatDuration(seconds) : ">10h"} left`.padStart(13);
}

function graphPart(percent: number, columns: number): string {
  const inner = columns - " []".length;
  if (columns < leastGraph) return "";
  const done = Math.floor((percent / 100) * inner);
  const bar = (done < inner ? ">" : "=").padStart(done, "=").slice(0, done);
  return ` [${bar.padEnd(inner)}]`;
}

function fitted(name: string, columns: number, candidates: string[], least = leastName): string {
  const parts = candidates.find(({ length }) => columns - length >= least) ?? "";
  return (fitText(name, columns - parts.length) + parts).trimEnd();
}
