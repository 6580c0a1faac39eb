/** Gaps: ranges of a document's octets that are missing. The end of a gap is the position behind its last octet. */

export type Gap = readonly [start: number, end: number];

export const unknownEnd = Number.MAX_SAFE_INTEGER;

export function missingBehind(octets: number, size = unknownEnd): readonly Gap[] {
  return octets < size ? [[octets, size]] : [];
}

export function octetsIn(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** Position behind the last stored octet of a document with this size; 0 if none is stored. */
export function endOfStored(gaps: readonly Gap[], size = unknownEnd): number {
  let stored = size;
  for (const [start, end] of gaps.toReversed()) if (end >= stored) stored = start;
  return stored;
}

export function parseGaps(value: unknown, size: number): readonly Gap[] | undefined {
  if (!Array.isArray(value) || !value.every(isGap)) return undefined;
  const borders = value.flat();
  const areInOrder = [...borders, size].every((border, at) => border >= (borders[at - 1] ?? 0));
  return areInOrder ? value : undefined;
}

function isGap(value: unknown): value is Gap {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every(Number.isSafeInteger) &&
    value[0] < value[1]
  );
}
