/**
 * Makes text that somebody else wrote safe to show. Server texts, names and URLs pass through
 * here on their way to a terminal or a log, and nowhere else are they made safe.
 */

const printableAscii = /^[ -~]*$/;

/**
 * Writes every character that could steer a terminal, or make text look like other text, as
 * `\x1b`, `\u202e` or `\u{e0041}`. A backslash stays as it is: the result is for eyes, and
 * nothing turns it back. Safe text is returned unchanged, and escaping twice changes nothing.
 */
export function escapeControls(text: string): string {
  return printableAscii.test(text) ? text : escapeUnsafe(text);
}

function escapeUnsafe(text: string): string {
  // Controls (C0, DEL, C1), line and paragraph separators, lone surrogates, and everything that
  // shows nothing itself but changes or hides what stands around it: bidi controls, zero-width
  // characters, tags, variation selectors, fillers. Made when it is needed: V8 takes a while.
  const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  return text.replace(unsafe, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const hex = codePoint.toString(16);
  if (codePoint < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return codePoint < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}
