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

const omission = "...";

/** Text in exactly `columns` columns: padded with spaces, or without its middle, since names differ at both ends. */
export function fitText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return padded(text, columns);
  if (columns < omission.length) return omission.slice(0, Math.max(0, columns));
  const characters = Array.from(text);
  const room = columns - omission.length;
  const head = beginning(characters, Math.ceil(room / 2)).join("");
  const tail = beginning(characters.toReversed(), room - textWidth(head)).toReversed();
  return padded(head + omission + tail.join(""), columns);
}

function padded(text: string, columns: number): string {
  return text + " ".repeat(columns - textWidth(text));
}

/** The first characters that fit into so many columns. */
function beginning(characters: readonly string[], columns: number): readonly string[] {
  const taken: string[] = [];
  let left = columns;
  for (const character of characters) {
    left -= characterWidth(character);
    if (left < 0) break;
    taken.push(character);
  }
  return taken;
}
