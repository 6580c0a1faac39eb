/** Which converter makes a local text of what a representation type sends. */
import type { Conversion } from "../url/plan.ts";
import { EbcdicConverter, type EbcdicEncoding } from "./convert-ebcdic.ts";
import { LineConverter } from "./convert-lines.ts";

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
  if (conversion === "ebcdic") return new EbcdicConverter(ebcdic, lineEnd);
  if (conversion === "none" || lineEnd === "\r\n") return undefined;
  return new LineConverter(); // ASCII, and the UTF-8 of Net-Unicode
}
