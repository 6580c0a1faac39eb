/** The layout of --explain: two columns within 80, and no characters that control a terminal. */
import { decoderFor } from "../text/encoding.ts";
import { encodeInvisible } from "../text/escape.ts";

export type Line = readonly [left: string, right: string];

/** A command's octets as text; invisible characters and undecodable octets as %XX. */
export function formatCommand(octets: string, encoding?: string): string {
  return encodeInvisible(decoderFor(encoding)(octets));
}

/** Sets the right sides from `column` on; a long left side gets a line to itself. */
export function formatLines(lines: readonly Line[], column: number): string {
  return lines.map((line) => formatLine(line, column)).join("");
}

function formatLine([left, right]: Line, column: number): string {
  const rows = wrap(encodeInvisible(right), 80 - column);
  const label = `  ${left}`;
  if (label.length >= column && right !== "") rows.unshift("");
  const [first = "", ...rest] = rows;
  const text = [`${label.padEnd(column)}${first}`, ...rest.map((row) => " ".repeat(column) + row)];
  return text.map((row) => `${row.trimEnd()}\n`).join("");
}

function wrap(text: string, width: number): string[] {
  return text.match(new RegExp(`(?=[^ ]).{1,${width}}(?= |$)|[^ ]+`, "gs")) ?? [""];
}
