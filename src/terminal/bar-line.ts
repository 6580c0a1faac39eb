/** The text of the progress bar. Each part behind the name has a fixed width, and so keeps its place. */
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText } from "../text/width.ts";
import { type MeterReading, percentOf, secondsLeft } from "./meter.ts";

const nameColumns = 20;
const leastNameColumns = 6;
const leastGraphColumns = 8;

/** The line of a running transfer, at most `columns` wide; `name` has to be escaped. */
export function barLine(name: string, reading: MeterReading, columns: number): string {
  const { position, size, elapsedSeconds } = reading;
  if (size === undefined) {
    const time = formatDuration(Math.floor(elapsedSeconds)).padStart(7);
    return fitted(
      name,
      `  ${formatOctets(position).padStart(8)}${ratePart(reading)}  ${time}`,
      columns,
    );
  }
  const percent = percentOf(reading, size);
  const numbers = octetsPart(position, size) + ratePart(reading) + timeLeftPart(reading);
  const start = ` ${String(percent).padStart(3)}%`;
  const graph = graphPart(percent, columns - nameColumns - start.length - numbers.length);
  return fitted(name, start + graph + numbers, columns);
}

/** The line of all trees, which begins with their `counts`. */
export function treeLine(counts: string, reading: MeterReading, columns: number): string {
  return fitted(
    counts,
    octetsPart(reading.position, reading.size ?? 0) + ratePart(reading),
    columns,
  );
}

function octetsPart(position: number, size: number): string {
  return `  ${formatPart(position, size).padStart(13)}`;
}

function ratePart({ rate }: MeterReading): string {
  return `  ${(rate === undefined ? "" : formatRate(rate)).padStart(10)}`;
}

function timeLeftPart(reading: MeterReading): string {
  const seconds = secondsLeft(reading);
  return (seconds === undefined ? "" : `${formatDuration(seconds)} left`).padStart(15);
}

function graphPart(percent: number, columns: number): string {
  if (columns < leastGraphColumns) return "";
  const inner = columns - " []".length;
  return ` [${"=".repeat(Math.floor((percent / 100) * inner)).padEnd(inner)}]`;
}

/** On a narrow terminal the last numbers are cut. */
function fitted(name: string, numbers: string, columns: number): string {
  const room = Math.max(leastNameColumns, columns - numbers.length);
  return (fitText(name, room) + numbers.slice(0, columns - room)).trimEnd();
}
