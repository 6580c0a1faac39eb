/**
 * The blocks of a file that several connections fetch, each the next one in the file's order: what is stored without a
 * gap is never far behind what has arrived.
 */
import type { Range } from "./range-receiver.ts";

/** Each block costs some round trips: smaller ones aren't worth them. */
export const leastOctets = 1024 * 1024;

/** Blocks that each connection has, if all are as fast: at the end, a slow one keeps the others waiting for one block. */
const blocksEach = 4;

export class Blocks {
  #position: number;
  readonly #size: number;
  readonly #blockSize: number;
  #firstGap = Infinity;

  constructor(offset: number, size: number, connections: number, least = leastOctets) {
    this.#position = offset;
    this.#size = size;
    this.#blockSize = Math.max(least, Math.ceil((size - offset) / (connections * blocksEach)));
  }

  take(): Range | undefined {
    if (this.#position === this.#size) return undefined;
    const position = this.#position;
    // A rest that is too small for a block of its own belongs to the last one.
    const isLast = position + 1.5 * this.#blockSize >= this.#size;
    this.#position = isLast ? this.#size : position + this.#blockSize;
    return { position, end: this.#position };
  }

  /** Called at a block's end; what is missing of it is left to the next try. */
  release({ position, end }: Range): void {
    if (position < end) this.#firstGap = Math.min(this.#firstGap, position);
  }

  /** Position up to which everything is stored, once no block is taken. */
  get end(): number {
    return Math.min(this.#position, this.#firstGap);
  }
}
