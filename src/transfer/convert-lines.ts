/**
 * The line ends of TYPE A and TYPE U (RFC 959 §3.1.1.1, RFC 5198): CRLF becomes LF. A CR or
 * an LF that stands alone is text, and so is every other octet.
 */
const cr = 0x0d;
const lf = 0x0a;

/** Implements TextConverter. A plain loop is faster than searching: lines are short. */
export class LineConverter {
  #converted = Buffer.alloc(0);
  /** The text so far ended in CR, and an LF may follow. */
  #heldCr = false;

  convert(chunk: Buffer): Buffer {
    const converted = this.#room(chunk.length + 1);
    let length = 0;
    if (this.#heldCr) converted[length++] = cr;
    for (let index = 0; index < chunk.length; index++) {
      const octet = chunk[index]!;
      if (octet === lf && length > 0 && converted[length - 1] === cr) length--;
      converted[length++] = octet;
    }
    this.#heldCr = length > 0 && converted[length - 1] === cr;
    return converted.subarray(0, this.#heldCr ? length - 1 : length);
  }

  end(): Buffer {
    return Buffer.from(this.#heldCr ? [cr] : []);
  }

  #room(length: number): Buffer {
    if (this.#converted.length < length) this.#converted = Buffer.allocUnsafe(length);
    return this.#converted;
  }
}
