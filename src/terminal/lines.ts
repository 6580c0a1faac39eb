/** The texts of progress: drawn lines, whose parts behind the name keep their places, and lines for logs. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText, textWidth } from "../text/width.ts";
import type { MeterReading, Running } from "./meter.ts";

const nameColumns = 20;
const leastNameColumns = 8;
const leastGraphColumns = 8;

/** The drawn line of a file, at most `columns` wide; `name` has to be escaped. */
export function barLine(name: string, reading: MeterReading, columns: number): string {
  const { position, size, elapsedSeconds } = reading;
  const rate = ratePart(reading);
  if (size === undefined) {
    const octets = `  ${formatOctets(position).padStart(8)}`;
    const time = `  ${formatDuration(Math.floor(elapsedSeconds)).padStart(7)}`;
    return fitted(name, leastNameColumns, [octets + rate + time, octets + rate, octets], columns);
  }
  const share = percentOf(position, size);
  const percent = ` ${String(share).padStart(3)}%`;
  const octets = `  ${formatPart(position, size).padStart(13)}`;
  const left = (timeLeft(reading) ?? "").padStart(14);
  const graph = graphPart(
    share,
    columns - nameColumns - `${percent}${octets}${rate}${left}`.length,
  );
  const choices = [
    percent + graph + octets + rate + left,
    percent + rate + left,
    percent + rate,
    percent,
  ];
  return fitted(name, leastNameColumns, choices, columns);
}

/** The drawn line of all trees, which begins with their `counts`. */
export function treeLine(counts: string, reading: MeterReading, columns: number): string {
  const octets = `  ${formatPart(reading.position, reading.size ?? 0).padStart(13)}`;
  const rate = ratePart(reading);
  return fitted(counts, textWidth(counts), [octets + rate, rate, ""], columns);
}

function ratePart({ rate }: MeterReading): string {
  return `  ${(rate === undefined ? "" : formatRate(rate)).padStart(10)}`;
}

function graphPart(percent: number, columns: number): string {
  if (columns < leastGraphColumns) return "";
  const inner = columns - " []".length;
  return ` [${"=".repeat(Math.floor((percent / 100) * inner)).padEnd(inner)}]`;
}

/** A text with the first of some figures that leaves it its least columns. */
function fitted(text: string, least: number, choices: readonly string[], columns: number): string {
  const figures = choices.find((choice) => columns - choice.length >= least) ?? "";
  return (fitText(text, columns - figures.length) + figures).trimEnd();
}

function percentOf(position: number, size: number): number {
  return position >= size ? 100 : Math.floor((position / size) * 100);
}

function timeLeft({ position, size, rate }: MeterReading): string | undefined {
  const left = size === undefined ? 0 : size - position;
  if (left <= 0 || !rate) return undefined;
  const seconds = Math.ceil(left / rate);
  return seconds > 36_000 ? ">10h left" : `${formatDuration(seconds)} left`;
}

export function startLine({ target, url, size, offset }: DocumentStart): string {
  const octets = size === undefined ? "a file of unknown size" : formatOctets(size);
  const resumed = offset > 0 ? `, resuming at ${formatOctets(offset)}` : "";
  return `${target}: fetching ${octets} from ${url}${resumed}`;
}

export function textOfRunning(reading: MeterReading): string {
  const { position, size, rate, elapsedSeconds } = reading;
  const speed = rate === undefined ? [] : [formatRate(rate)];
  if (size === undefined)
    return [formatOctets(position), ...speed, `${formatDuration(elapsedSeconds)} so far`].join(
      ", ",
    );
  const octets = `${percentOf(position, size)}%, ${formatPart(position, size, " of ")}`;
  return [octets, ...speed, timeLeft(reading) ?? []].flat().join(", ");
}

const leastSecondsForRate = 1;

/** The last line of a whole file, with its URL where no line has said it. */
export function endLine({ target, meter }: Running, saved: Saved, url: string | undefined): string {
  const { resumed, seconds, verified } = saved;
  const now = Math.max(0, meter.position - resumed);
  const source = url === undefined ? "" : ` from ${url}`;
  const part = resumed > 0 ? `, ${formatOctets(now)} of it now,` : "";
  const speed = seconds >= leastSecondsForRate ? ` (${formatRate(now / seconds)})` : "";
  const proof = verified === undefined ? "" : `, ${verified}`;
  const whole = `${saved.target ?? target}: ${formatOctets(meter.position)}`;
  return `${whole}${source}${part} in ${formatDuration(seconds)}${speed}${proof}`;
}
