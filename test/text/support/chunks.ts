/** Texts cut into chunks in every way, and converters that are fed with them. */
import fc from "fast-check";
import type { TextConverter } from "../../../src/text/line-ends.ts";

export function converted(converter: TextConverter, chunks: readonly Buffer[]): Buffer {
  const copies = chunks.map((chunk) => Buffer.from(converter.convert(chunk)));
  return Buffer.concat([...copies, Buffer.from(converter.end())]);
}

/** Octets of which many are line ends, cut into chunks that may be empty. */
export function chunked(lineEnds: readonly number[]): fc.Arbitrary<Buffer[]> {
  const octet = fc.oneof(fc.constantFrom(...lineEnds), fc.nat(255));
  const chunk = fc.array(octet, { maxLength: 12 }).map((octets) => Buffer.from(octets));
  return fc.array(chunk, { maxLength: 8 });
}
