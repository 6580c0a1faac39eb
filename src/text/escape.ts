/** All sets of unsafe characters in text from servers, URLs and users, and a function for each use. */
import { percentEncoded } from "./percent.ts";

/** Controls (C0, DEL, C1), line and paragraph separators, and formats: bidi, zero width, tags. */
const controls = String.raw`\p{Cc}\p{Cf}\p{Zl}\p{Zp}`;

/** Unsafe characters: also lone surrogates, and what changes its neighbours (fillers, variation selectors). */
const invisible = String.raw`${controls}\p{Cs}\p{Default_Ignorable_Code_Point}`;

/** Joiners are safe: Persian, Hindi and emoji need them between letters. */
const joiners = String.raw`\u200c\u200d`;

/** Text for a terminal or a log: `\x1b` or `\u202e` for unsafe characters. A backslash stays: nothing decodes it. */
export const escapeControls = replacing(invisible, escaped);

/** Percent-encodes controls in a file name; variation selectors stay, since emoji have them. */
export const encodeInFileName = replacing(controls, percentEncoded);

export const encodeInUrl = replacing(String.raw`${invisible}\p{Z}\ufffd`, percentEncoded);

/** A value as JSON, with `\u202e` for each unsafe character that JSON permits in strings. */
export function jsonString(value: unknown): string {
  return escapeInJson(JSON.stringify(value));
}

const escapeInJson = replacing(invisible, (character) =>
  character.replace(/[^]/g, (unit) => `\\u${hexOf(unit, 4)}`),
);

const printableAscii = /^[ -~]*$/;

/** Replaces the characters of a set but joiners. The set must not include printable ASCII. */
function replacing(set: string, replacement: (character: string) => string) {
  let pattern: RegExp | undefined;
  return (text: string): string => {
    if (printableAscii.test(text)) return text;
    pattern ??= new RegExp(`[[${set}]--[${joiners}]]`, "gv"); // Compiling takes V8 milliseconds: not at the start.
    return text.replace(pattern, replacement);
  };
}

function escaped(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  if (codePoint < 0x100) return `\\x${hexOf(character, 2)}`;
  return codePoint < 0x10000 ? `\\u${hexOf(character, 4)}` : `\\u{${hexOf(character, 5)}}`;
}

function hexOf(character: string, digits: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(digits, "0");
}
