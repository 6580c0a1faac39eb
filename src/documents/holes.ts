/**
 * What is stored of a document, less what may never have been written. A run writes a beginning
 * without holes, and saves no state before the octets of which it tells; but a power failure can
 * take such octets away, and other programs give a file its length first.
 */
import type { Destination, PartialDocument } from "../files/destination.ts";
import { missingBehind, joined, octetsIn, type Gap } from "../files/gaps.ts";

/**
 * What is stored of the document. Where the file is sparse, the pieces of it that hold a block of zeros
 * count as missing: a hole reads so. A file system that compresses makes files sparse too; there,
 * zeros of the document are fetched again. Ends early when the document `isWanted` no more.
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

/** What a file system leaves out is a multiple of this, and begins at one. */
const block = Buffer.alloc(4096);

/** Whether a block of zeros is in a piece that begins at `position`, other than those that are known to be missing. */
function hasHole(piece: Buffer, position: number, known: readonly Gap[]): boolean {
  for (let at = 0; at + block.length <= piece.length; at += block.length) {
    if (!block.equals(piece.subarray(at, at + block.length))) continue;
    const [start, end] = [position + at, position + at + block.length];
    if (!known.some((gap) => gap[0] <= start && end <= gap[1])) return true;
  }
  return false;
}
