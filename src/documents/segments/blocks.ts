/**
 * The blocks of a file that several connections fetch, each the next one in the file's order: what is stored without a
 * gap is never far behind what has arrived. Pure.
 */
import type { Range } from "../file/range-receiver.ts";

/** Each block costs some round trips: smaller ones aren't worth them. */
export const leastOctets = 1024 * 1024;

/** Blocks that each connection has, if all are as fast: at the end, a slow one keeps the others waiting for one block. */
const blocksEach = 4;

export class Blocks {
  #position: number;
  readonly #size: number;
  readonly #blockSize: number;
  readonly #taken = new Set<Range>();
  /** Blocks that broken connections have left. */
  readonly #left: Range[] = [];

  constructor(offset: number, size: number, connections: number, least = leastOctets) {
    this.#position = offset;
    this.#size = size;
    this.#blockSize = Math.max(least, Math.ceil((size - offset) / (connections * blocksEach)));
  }

  take(): Range | undefined {
    const block = this.#left.shift() ?? this.#cut();
    if (block !== undefined) this.#taken.add(block);
    return block;
  }

  release(block: Range): void {
    this.#taken.delete(block);
    if (block.position < block.end) this.#left.push(block);
  }

  get isBusy(): boolean {
    return this.#taken.size > 0;
  }

  get isWhole(): boolean {
    return this.end === this.#size;
  }

  /** Position up to which everything is stored. */
  get end(): number {
    const missing = [...this.#taken, ...this.#left].map(({ position }) => position);
    return Math.min(this.#position, ...missing);
  }

  #cut(): Range | undefined {
    if (this.#position === this.#size) return undefined;
    const position = this.#position;
    // A rest that is too small for a block of its own belongs to the last one.
    const end = position + 1.5 * this.#blockSize;
    this.#position = end < this.#size ? position + this.#blockSize : this.#size;
    return { position, end: this.#position };
  }
}
