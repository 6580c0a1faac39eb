/**
 * Holes in partial files: octets that may never have been written. A run writes a beginning without
 * holes, and a state after the octets it describes; but a power failure can take such octets away,
 * and other programs give a file its full length first.
 */
import type { Destination, PartialDocument } from "../../files/destination.ts";
import { missingBehind, joined, octetsIn, type Gap } from "../../files/gaps.ts";

/**
 * What is stored, without pieces of a sparse file that hold a block of zeros, as holes do. Where
 * the file system compresses, the document's own zeros are fetched again.
 */
export async function withoutHoles(
  destination: Destination,
  isWanted: () => boolean,
): Promise<PartialDocument | undefined> {
  const partial = destination.partial();
  const size = partial?.document?.size;
  if (!partial?.isSparse || size === undefined) return partial;
  const { octets, missing: known = missingBehind(octets, size) } = partial;
  const holes: Gap[] = [];
  let position = 0;
  for await (const piece of destination.stored(0, size)) {
    if (!isWanted()) break;
    if (hasHole(piece, position, known)) holes.push([position, position + piece.length]);
    position += piece.length;
  }
  if (holes.length === 0) return partial;
  const missing = joined([...known, ...holes]);
  const left = size - octetsIn(missing);
  return left > 0 ? { ...partial, octets: left, missing } : undefined;
}

/** Holes are multiples of this size, and aligned to it. */
const block = Buffer.alloc(4096);

/** Whether a piece from `position` on has a block of zeros outside the `known` gaps. */
function hasHole(piece: Buffer, position: number, known: readonly Gap[]): boolean {
  for (let at = 0; at + block.length <= piece.length; at += block.length) {
    if (!block.equals(piece.subarray(at, at + block.length))) continue;
    const [start, end] = [position + at, position + at + block.length];
    if (!known.some((gap) => gap[0] <= start && end <= gap[1])) return true;
  }
  return false;
}
