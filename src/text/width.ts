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

/** Text in exactly `columns` columns: padded with spaces, or without its middle, since names differ at both ends. */
export function fitText(text: string, columns: number): string {
  const width = textWidth(text);
  if (width <= columns) return text + " ".repeat(columns - width);
  return columns < 1 ? "" : shorten(Array.from(text), width, columns - 1);
}

/** A label may be a path of thousands of characters, and is drawn often: each character is measured once. */
function shorten(characters: string[], width: number, columns: number): string {
  let left = width;
  let middle = 0;
  while (left > columns) {
    middle = Math.floor(characters.length / 2);
    const [removed = ""] = characters.splice(middle, 1);
    left -= characterWidth(removed);
  }
  const [head, tail] = [characters.slice(0, middle), characters.slice(middle)];
  return `${head.join("")}…${tail.join("")}${" ".repeat(columns - left)}`;
}
