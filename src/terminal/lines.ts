/** The texts of progress: drawn lines, whose parts behind the name keep their places, and lines for logs. */
import { basename } from "node:path";
import type { DocumentStart, Saved } from "../documents/events.ts";
import { escapeControls } from "../text/escape.ts";
import { conceal } from "../text/secrets.ts";
import { formatDuration, formatOctets, formatPart, formatRate, inTime } from "../text/units.ts";

/** A file that is fetched now, or all trees, with their counts as `target`. Of `position` bytes, `offset` were here before. */
export interface Running extends Omit<DocumentStart, "url" | "inTree"> {
  readonly begunMs: number;
  position: number;
}

const leastNameColumns = 8;
const graphColumns = 10;

/** The drawn line of a file, at most `columns` wide. */
export function barLine(file: Running, nowMs: number, columns: number): string {
  const { share, octets, rate, left } = figuresOf(file, nowMs);
  const start = share === "" ? octets.padStart(10) : share.padStart(5);
  const [speed, time] = [rate.padStart(12), left.padStart(13)];
  const end = (share === "" ? "" : octets.padStart(15)) + speed + time;
  const graph = share === "" ? "" : graphPart(parseInt(share));
  const choices = [start + graph + end, start + end, start + speed + time, start + speed, start];
  const name = escapeControls(conceal(basename(file.target)));
  return fitted(name, leastNameColumns, choices, columns);
}

/** The drawn line of all trees. */
export function treeLine(trees: Running, nowMs: number, columns: number): string {
  const { octets, rate } = figuresOf(trees, nowMs);
  const speed = rate.padStart(12);
  const choices = [octets.padStart(15) + speed, speed, ""];
  return fitted(trees.target, textWidth(trees.target), choices, columns);
}

/** The line of a running file for logs. */
export function fileText(file: Running, nowMs: number): string {
  return `${file.target}: ${joined(Object.values(figuresOf(file, nowMs)))}`;
}

/** The line of all trees for logs: not all files are known, so there is no share. */
export function treeText(trees: Running, nowMs: number): string {
  const { octets, rate } = figuresOf(trees, nowMs);
  return joined([trees.target, octets, rate]);
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join(", ");
}

/** The figures in their order; one that is unknown is empty. */
function figuresOf({ position, size, offset, begunMs }: Running, nowMs: number) {
  const seconds = (nowMs - begunMs) / 1000;
  const rate = seconds < 0.5 ? 0 : Math.max(0, position - offset) / seconds;
  const shownRate = seconds < 0.5 ? "" : formatRate(rate);
  if (size === undefined) {
    const left = `${formatDuration(Math.floor(seconds))} so far`;
    return { share: "", octets: formatOctets(position), rate: shownRate, left };
  }
  const share = `${percentOf(position, size)}%`;
  const left = timeLeft(size - position, rate);
  return { share, octets: formatPart(position, size), rate: shownRate, left };
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

function timeLeft(octets: number, rate: number): string {
  if (octets <= 0 || rate === 0) return "";
  const seconds = Math.ceil(octets / rate);
  return seconds > 36_000 ? ">10h left" : `${formatDuration(seconds)} left`;
}

export function startLine({ target, url, size, offset }: DocumentStart): string {
  const octets = size === undefined ? "a file of unknown size" : formatOctets(size);
  const resumed = offset > 0 ? `, resuming at ${formatOctets(offset)}` : "";
  return `${target}: fetching ${octets} from ${url}${resumed}`;
}

/** The last line of a whole file, with its URL where no line has said it. */
export function endLine(file: Running, saved: Saved, url: string | undefined): string {
  const { target = file.target, resumed, seconds, verified } = saved;
  const now = Math.max(0, file.position - resumed);
  const source = url === undefined ? "" : ` from ${url}`;
  const part = resumed > 0 ? `, ${formatOctets(now)} of it now,` : "";
  const proof = verified === undefined ? "" : `, ${verified}`;
  const whole = `${target}: ${formatOctets(file.position)}`;
  return `${whole}${source}${part} ${inTime(now, seconds)}${proof}`;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const combiningOrJoiner = /[\p{M}\u200c\u200d]/u;

/** Columns of text without controls. Approximate: terminals differ about new emoji and scripts. */
export function textWidth(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (wide.test(character)) return 2;
  return combiningOrJoiner.test(character) ? 0 : 1;
}

/** The beginning of a text, padded with spaces to exactly `columns` columns. */
export function fitText(text: string, columns: number): string {
  let shown = "";
  let left = Math.max(0, columns);
  for (const character of text) {
    const width = characterWidth(character);
    if (width > left) break;
    shown += character;
    left -= width;
  }
  return shown + " ".repeat(left);
}
