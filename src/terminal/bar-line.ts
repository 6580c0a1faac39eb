/** The text of one bar. Each part behind the name has a fixed width, and so keeps its place. */
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText, textWidth } from "../text/width.ts";
import { type MeterReading, percentOf, secondsLeft } from "./meter.ts";

const leastNameColumns = 6;
const leastGraphColumns = 8;

/** The line of a running transfer, at most `columns` wide; `name` has to be escaped. */
export function barLine(name: string, reading: MeterReading, columns: number): string {
  const octets = octetsPart(reading);
  const rate = ratePart(reading);
  if (reading.size === undefined) {
    const time = `  ${formatDuration(Math.floor(reading.elapsedSeconds)).padStart(7)}`;
    return fitted(name, columns, [octets + rate + time, octets + rate, octets]);
  }
  const share = percentOf(reading, reading.size);
  const percent = ` ${String(share).padStart(3)}%`;
  const timeLeft = timeLeftPart(reading);
  const numbers = octets + rate + timeLeft;
  // With a graph, the name has a fixed width: graphs of several bars are aligned.
  const nameColumns = Math.max(16, Math.floor(columns / 5));
  const graph = graphPart(share, columns - nameColumns - percent.length - numbers.length);
  return fitted(name, columns, [
    percent + graph + numbers,
    percent + rate + timeLeft,
    percent + rate,
    percent,
  ]);
}

/** The line of all trees. `counts` is cut only if the columns don't suffice for `counts` alone. */
export function treeLine(counts: string, reading: MeterReading, columns: number): string {
  const octets = octetsPart(reading);
  const rate = ratePart(reading);
  return fitted(counts, columns, [octets + rate, rate], textWidth(counts));
}

function octetsPart({ position, size }: MeterReading): string {
  if (size === undefined) return `  ${formatOctets(position).padStart(8)}`;
  return `  ${formatPart(position, size).padStart(13)}`;
}

function ratePart({ rate }: MeterReading): string {
  return `  ${(rate === undefined ? "" : formatRate(rate)).padStart(10)}`;
}

function timeLeftPart(reading: MeterReading): string {
  const seconds = secondsLeft(reading);
  if (seconds === undefined) return " ".repeat(13);
  return ` ${seconds < 36_000 ? formatDuration(seconds) : ">10h"} left`.padStart(13);
}

function graphPart(percent: number, columns: number): string {
  if (columns < leastGraphColumns) return "";
  const inner = columns - " []".length;
  const done = Math.floor((percent / 100) * inner);
  const tip = done < inner ? ">" : "=";
  const bar = done === 0 ? "" : tip.padStart(done, "=");
  return ` [${bar.padEnd(inner)}]`;
}

function fitted(
  name: string,
  columns: number,
  widestFirst: string[],
  leastColumns = leastNameColumns,
): string {
  const part = widestFirst.find(({ length }) => columns - length >= leastColumns) ?? "";
  return (fitText(name, columns - part.length) + part).trimEnd();
}
