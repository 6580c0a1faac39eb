/** Converts texts of the types A, E and U to local ones, as they arrive (D1 to D4). */
import { ebcdicConverter, type EbcdicEncoding } from "./ebcdic.ts";

export type Conversion = "none" | "ascii" | "ebcdic" | "net-unicode";

/** Converts a text in chunks, however it is cut; `end` gives the octets that were held back. */
export interface TextConverter {
  convert(chunk: Buffer): Buffer;
  end(): Buffer;
}

export function textConverter(
  conversion: Conversion,
  lineEnd: string,
  ebcdic: EbcdicEncoding,
): TextConverter | undefined {
  if (conversion === "ebcdic")
    return { convert: ebcdicConverter(ebcdic, lineEnd), end: () => Buffer.alloc(0) };
  if (conversion === "none" || lineEnd === "\r\n") return undefined;
  return lineConverter();
}

const cr = 0x0d;
const lf = 0x0a;

/** CRLF becomes LF; a single CR or LF stays (RFC 959 §3.1.1.1, RFC 5198). A loop is faster than a search. */
function lineConverter(): TextConverter {
  let holdsCr = false;
  const convert = (chunk: Buffer): Buffer => {
    const converted = Buffer.allocUnsafe(chunk.length + 1);
    let length = 0;
    if (holdsCr) converted[length++] = cr;
    for (let index = 0; index < chunk.length; index++) {
      const octet = chunk[index]!;
      if (octet === lf && length > 0 && converted[length - 1] === cr) length--;
      converted[length++] = octet;
    }
    holdsCr = length > 0 && converted[length - 1] === cr;
    return converted.subarray(0, holdsCr ? length - 1 : length);
  };
  return { convert, end: () => Buffer.from(holdsCr ? [cr] : []) };
}
