/**
 * Shell patterns for names: `*`, `?`, `[...]`, and a backslash before a literal; a "[" without its "]" is literal,
 * as in fnmatch(3). Linear in the name.
 */

export interface Glob {
  matches(name: string): boolean;
}

export function hasWildcard(pattern: string): boolean {
  return /[*?[\]]/.test(pattern);
}

export function parseGlob(pattern: string): Glob {
  const [first = "", ...further] = expressionsAroundStars(pattern);
  const last = further.pop();
  // A star is as short as it can be: each part between stars is looked for once, and `\1` keeps to what was found.
  const inner = further.map((part, at) => `(?=([^]*?${part}))\\${at + 1}`).join("");
  const end = last === undefined ? "" : `[^]*${last}`;
  const expression = new RegExp(`^${first}${inner}${end}$`, "u");
  return { matches: (name) => expression.test(name) };
}

function expressionsAroundStars(pattern: string): string[] {
  const parts = [""];
  const pieces = pattern.matchAll(/\[([!^]?)(\]?(?:\\[^]|[^\]\\])*)\]|\\?[^]/gu);
  for (const [piece, negation = "", members = ""] of pieces) {
    if (piece === "*") parts.push("");
    else parts.push(parts.pop() + expressionFor(piece, negation, members));
  }
  return parts;
}

function expressionFor(piece: string, negation: string, members: string): string {
  if (members !== "") return `[${negation && "^"}${rangesOf(members)}]`;
  return piece === "?" ? "[^]" : withoutBackslash(piece).replace(/[^]/gu, escaped);
}

function rangesOf(members: string): string {
  return members.replace(
    /(\\[^]|[^\\])-(\\[^]|[^\\])|\\?[^]/gu,
    (member: string, begin = member, end = begin) => {
      const first = withoutBackslash(begin);
      const last = withoutBackslash(end);
      return codePoint(first) > codePoint(last) ? "" : `${escaped(first)}-${escaped(last)}`;
    },
  );
}

function escaped(character: string): string {
  return `\\u{${codePoint(character).toString(16)}}`;
}

function withoutBackslash(piece: string): string {
  return piece.replace(/^\\(?=[^])/, "");
}

export function quoteForGlob(text: string): string {
  return text.replace(/[*?[\]!^\\-]/g, "\\$&");
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
