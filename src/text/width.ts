/** The columns that text takes on a terminal, and shortening it to fit. */

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
