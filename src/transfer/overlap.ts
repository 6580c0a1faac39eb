/**
 * The last octets that are here, asked for again and compared: other octets mean another
 * document, or a server that answered 350 to REST and began at 0.
 */
export class Overlap {
  readonly #expected: Buffer;
  #compared = 0;

  /** `expected` is what the data has to begin with. */
  constructor(expected: Buffer) {
    this.#expected = expected;
  }

  /** Whether all has been compared. */
  get done(): boolean {
    return this.#compared === this.#expected.length;
  }

  /**
   * Compares the beginning of a chunk and returns what lies behind it, which may be nothing;
   * undefined when the octets differ.
   */
  pass(chunk: Buffer): Buffer | undefined {
    const length = Math.min(chunk.length, this.#expected.length - this.#compared);
    const expected = this.#expected.subarray(this.#compared, this.#compared + length);
    if (!expected.equals(chunk.subarray(0, length))) return undefined;
    this.#compared += length;
    return chunk.subarray(length);
  }
}
