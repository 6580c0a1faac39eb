/** Whole files that options name; the caller parses them. */
import { createReadStream } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { errorAbout } from "./file-error.ts";
import { tooLarge } from "./regular-file.ts";

/** For a list of checksums, all of which are kept. */
const mostInList = 256 * 1024 * 1024;

/** The certificates of all public authorities take a quarter of a MiB. */
const mostInPem = 16 * 1024 * 1024;

/** The text of a file in UTF-8, or of standard input (`-`), as it comes. @throws FtpullError "file" */
export async function* textPieces(path: string): AsyncGenerator<string> {
  const decoder = new StringDecoder();
  const input = path === "-" ? process.stdin : createReadStream(path);
  for await (const piece of pieces(input, path, mostInList)) yield decoder.write(piece);
  yield decoder.end();
}

/** What messages call the input that an option names. */
export function inputName(path: string): string {
  return path === "-" ? "standard input" : `"${path}"`;
}

/** Reads a file of certificates or keys. @throws FtpullError "file" */
export async function readPemFile(path: string): Promise<Buffer> {
  const read = [];
  for await (const piece of pieces(createReadStream(path), path, mostInPem)) read.push(piece);
  return Buffer.concat(read);
}

/** A device may have no end. */
async function* pieces(
  input: AsyncIterable<Buffer | string>,
  path: string,
  most: number,
): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of input) {
      const piece = Buffer.from(chunk as Buffer);
      total += piece.length;
      if (total > most) throw tooLarge(most);
      yield piece;
    }
  } catch (error) {
    throw errorAbout("read", inputName(path), error);
  }
}
