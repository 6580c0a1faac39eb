/** Shell patterns for names: `*`, `?` and `[...]`. Linear in the name, whatever the pattern. */

type Token = string | "any" | "star" | Class;

interface Class {
  readonly isNegated: boolean;
  /** Pairs of code points: first and last of each range. */
  readonly ranges: readonly (readonly [number, number])[];
}

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

/** `*` outside of classes is a token of its own, so a literal one is always a class. */
function* tokensOf(pattern: string): Generator<Token> {
  const pieces = pattern.matchAll(/\[([!^]?)(\]?[^\]]*)\]|[^]/gu);
  for (const [piece, negation = "", members] of pieces) {
    if (members !== undefined && members !== "")
      yield { isNegated: negation !== "", ranges: rangesOf(members) };
    else if (piece === "*") yield "star";
    else if (piece === "?") yield "any";
    else yield* piece;
  }
}

function rangesOf(members: string): Class["ranges"] {
  return Array.from(
    members.matchAll(/([^])-([^])|[^]/gu),
    ([single, first = single, last = first]) => [codePoint(first), codePoint(last)],
  );
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** Goes back to the last star only: an earlier one could match no more than it does. */
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, next] = [0, 0];
  let star: { readonly token: number; end: number } | undefined;
  while (next < name.length) {
    const token = tokens[at];
    if (token === "star") star = { token: at++, end: next };
    else if (token !== undefined && accepts(token, name[next] ?? ""))
      [at, next] = [at + 1, next + 1];
    else if (star === undefined) return false;
    else [at, next] = [star.token + 1, ++star.end];
  }
  return tokens.slice(at).every((token) => token === "star");
}

function accepts(token: Token, character: string): boolean {
  if (typeof token === "string") return token === "any" || token === character;
  const point = codePoint(character);
  return token.isNegated !== token.ranges.some(([first, last]) => first <= point && point <= last);
}
