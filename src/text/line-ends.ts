/** Makes a local text of what a representation type sends, as it arrives. */
import { ebcdicConverter, type EbcdicEncoding } from "./ebcdic.ts";

/** What becomes of a text's line ends and characters on this machine (D1 to D4). */
export type Conversion = "none" | "ascii" | "ebcdic" | "net-unicode";

/** Converts a text as it arrives; how it is cut into chunks makes no difference. */
export interface TextConverter {
  /** The local form of what has arrived, good until the next call; the chunk is left as it is. */
  convert(chunk: Buffer): Buffer;
  /** What was held back, when the text has ended. The converter can't be used afterwards. */
  end(): Buffer;
}

/**
 * The converter for a document; undefined when its octets are right as they are, which texts
 * with CRLF are where lines end so.
 */
export function textConverter(
  conversion: Conversion,
  lineEnd: string,
  ebcdic: EbcdicEncoding,
): TextConverter | undefined {
  if (conversion === "ebcdic") {
    // No octet depends on another one, so nothing is ever held back.
    return { convert: ebcdicConverter(ebcdic, lineEnd), end: () => Buffer.alloc(0) };
  }
  if (conversion === "none" || lineEnd === "\r\n") return undefined;
  return new LineConverter(); // ASCII, and the UTF-8 of Net-Unicode
}

const cr = 0x0d;
const lf = 0x0a;

/**
 * The line ends of TYPE A and TYPE U (RFC 959 §3.1.1.1, RFC 5198): CRLF becomes LF. A CR or
 * an LF that stands alone is text, and so is every other octet. A plain loop is faster than
 * searching: lines are short.
 */
class LineConverter implements TextConverter {
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
