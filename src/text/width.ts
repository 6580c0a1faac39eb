/** The columns that text takes on a terminal, and shortening it to fit. */

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

const combiningOrJoiner = /[\p{M}\u200c\u200d]/u;

const printableAscii = /^[ -~]*$/;

/** Columns of text without controls. Approximate: terminals differ about new emoji and scripts. */
export function textWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  return Array.from(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (wide.test(character)) return 2;
  return combiningOrJoiner.test(character) ? 0 : 1;
}

/** What stands for the omitted part of a text: one column where the locale has the character. */
const ellipsis = isUtf8Locale(process.env) ? "…" : "...";

export function isUtf8Locale({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return process.platform === "win32" || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
}

/** Text in exactly `columns` columns: padded with spaces, or without its middle, since names differ at both ends. */
export function fitText(text: string, columns: number, omission = ellipsis): string {
  const width = textWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  if (columns < omission.length) return omission.slice(0, Math.max(0, columns));
  const characters = Array.from(text);
  let left = columns - omission.length;
  let [head, tail] = ["", ""];
  for (let taken = 0; ; taken++) {
    const atHead = taken % 2 === 0;
    const next = characters[atHead ? taken / 2 : characters.length - (taken + 1) / 2] ?? "";
    left -= characterWidth(next);
    if (left < 0) return `${head}${omission}${tail}${" ".repeat(left + characterWidth(next))}`;
    if (atHead) head += next;
    else tail = next + tail;
  }
}
