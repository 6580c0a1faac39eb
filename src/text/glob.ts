/**
 * Shell patterns for names: `*`, `?`, `[...]`, and a backslash before what stands for itself. Linear
 * in the name, whatever the pattern.
 */

const star = Symbol("any number of characters");

/** A string is the character itself. */
type Token = string | typeof star | Class;

interface Class {
  readonly isNegated: boolean;
  /** Pairs of code points: first and last of each range. */
  readonly ranges: readonly (readonly [number, number])[];
}

const anyCharacter: Class = { isNegated: true, ranges: [] };

/** A compiled pattern. */
export interface Glob {
  matches(name: string): boolean;
}

export function hasWildcard(pattern: string): boolean {
  return /[*?[\]]/.test(pattern);
}

/** Compiles a pattern; a "[" without its "]" stands for itself, as in fnmatch(3). */
export function parseGlob(pattern: string): Glob {
  const tokens = [...tokensOf(pattern)];
  return { matches: (name) => matches(tokens, Array.from(name)) };
}

function* tokensOf(pattern: string): Generator<Token> {
  const pieces = pattern.matchAll(/\[([!^]?)(\]?(?:\\[^]|[^\]\\])*)\]|\\?[^]/gu);
  for (const [piece, negation = "", members] of pieces) {
    if (members !== undefined && members !== "")
      yield { isNegated: negation !== "", ranges: rangesOf(members) };
    else if (piece === "*") yield star;
    else if (piece === "?") yield anyCharacter;
    else yield* literal(piece);
  }
}

function rangesOf(members: string): Class["ranges"] {
  return Array.from(
    members.matchAll(/(\\[^]|[^\\])-(\\[^]|[^\\])|\\?[^]/gu),
    ([single, first = single, last = first]) => [
      codePoint(literal(first)),
      codePoint(literal(last)),
    ],
  );
}

function literal(piece: string): string {
  return piece.replace(/^\\(?=[^])/, "");
}

/** The pattern that matches `text` and nothing else, also within `[...]`. */
export function quoteForGlob(text: string): string {
  return text.replace(/[*?[\]!^\\-]/g, "\\$&");
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Goes back to the last star only: an earlier one could match no more than it does. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let last: { readonly star: number; end: number } | undefined;
  while (next < name.length) {
    const token = tokens[at];
    if (token === star) last = { star: at++, end: next };
    else if (accepts(token, name[next] ?? "")) [at, next] = [at + 1, next + 1];
    else if (last === undefined) return false;
    else [at, next] = [last.star + 1, ++last.end];
  }
  return tokens.slice(at).every((token) => token === star);
}

function accepts(token: string | Class | undefined, character: string): boolean {
  if (token === undefined || typeof token === "string") return token === character;
  const point = codePoint(character);
  return token.isNegated !== token.ranges.some(([first, last]) => first <= point && point <= last);
}
