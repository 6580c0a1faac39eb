/** The texts of progress: drawn lines, whose parts behind the name keep their places, and lines for logs. */
import type { DocumentStart, Saved } from "../documents/events.ts";
import { formatDuration, formatOctets, formatPart, formatRate } from "../text/units.ts";
import { fitText, textWidth } from "../text/width.ts";
import type { MeterReading, Running } from "./meter.ts";

const leastNameColumns = 8;
const graphColumns = 10;

/** The drawn line of a file, at most `columns` wide; `name` has to be escaped. */
export function barLine(name: string, reading: MeterReading, columns: number): string {
  const { share, octets, rate, left } = figuresOf(reading);
  const start = share === "" ? octets.padStart(10) : share.padStart(5);
  const [speed, time] = [rate.padStart(12), left.padStart(13)];
  const end = (share === "" ? "" : octets.padStart(15)) + speed + time;
  const graph = share === "" ? "" : graphPart(parseInt(share));
  const choices = [start + graph + end, start + end, start + speed + time, start + speed, start];
  return fitted(name, leastNameColumns, choices, columns);
}

/** The drawn line of all trees, which begins with their `counts`. */
export function treeLine(counts: string, reading: MeterReading, columns: number): string {
  const { octets, rate } = figuresOf(reading);
  const speed = rate.padStart(12);
  return fitted(counts, textWidth(counts), [octets.padStart(15) + speed, speed, ""], columns);
}

/** The line of a running file for logs. */
export function fileText(target: string, reading: MeterReading): string {
  return `${target}: ${joined(Object.values(figuresOf(reading)))}`;
}

/** The line of all trees for logs: not all files are known, so there is no share. */
export function treeText(counts: string, reading: MeterReading): string {
  const { octets, rate } = figuresOf(reading);
  return joined([counts, octets, rate]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** The figures in their order; one that is unknown is empty. */
function figuresOf(reading: MeterReading) {
  const { position, size, rate, elapsedSeconds } = reading;
  return {
    share: size === undefined ? "" : `${percentOf(position, size)}%`,
    octets: size === undefined ? formatOctets(position) : formatPart(position, size).trim(),
    rate: rate === undefined ? "" : formatRate(rate),
    left:
      size === undefined
        ? `${formatDuration(Math.floor(elapsedSeconds))} so far`
        : timeLeft(size - position, rate),
  };
}

function graphPart(percent: number): string {
  return ` [${"=".repeat(Math.floor((percent / 100) * graphColumns)).padEnd(graphColumns)}]`;
}

/** A text with the first of some figures that leaves it its least columns. */
function fitted(text: string, least: number, choices: readonly string[], columns: number): string {
  const figures = choices.find((choice) => columns - choice.length >= least) ?? "";
  return (fitText(text, columns - figures.length) + figures).trimEnd();
}

function percentOf(position: number, size: number): number {
  return position >= size ? 100 : Math.floor((position / size) * 100);
}

function timeLeft(octets: number, rate: number | undefined): string {
  if (octets <= 0 || !rate) return "";
  const seconds = Math.ceil(octets / rate);
  return seconds > 36_000 ? ">10h left" : `${formatDuration(seconds)} left`;
}

export function startLine({ target, url, size, offset }: DocumentStart): string {
  const octets = size === undefined ? "a file of unknown size" : formatOctets(size);
  const resumed = offset > 0 ? `, resuming at ${formatOctets(offset)}` : "";
  return `${target}: fetching ${octets} from ${url}${resumed}`;
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
