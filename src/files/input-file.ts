/** Whole files that options name; the caller parses them. */
import { createReadStream } from "node:fs";
import { errorAbout } from "./file-error.ts";
import { tooLarge } from "./regular-file.ts";

/** For a list that is read into memory; V8's longest string has twice as many characters. */
const mostInList = 256 * 1024 * 1024;

/** The certificates of all public authorities take a quarter of a MiB. */
const mostInPem = 16 * 1024 * 1024;

/** The text of a file in UTF-8, or of standard input (`-`). @throws FtpullError "file" */
export async function readText(path: string): Promise<string> {
  const input = path === "-" ? process.stdin : createReadStream(path);
  return (await readWhole(input, path, mostInList)).toString();
}

/** What messages call the input that an option names. */
export function inputName(path: string): string {
  return path === "-" ? "standard input" : `"${path}"`;
}

/** Reads a file of certificates or keys. @throws FtpullError "file" */
export function readPemFile(path: string): Promise<Buffer> {
  return readWhole(createReadStream(path), path, mostInPem);
}

/** A device may have no end. */
async function readWhole(
  input: AsyncIterable<Buffer | string>,
  path: string,
  most: number,
): Promise<Buffer> {
  const pieces = [];
  let total = 0;
  try {
    for await (const chunk of input) {
      const piece = Buffer.from(chunk as Buffer);
      pieces.push(piece);
      total += piece.length;
      if (total > most) throw tooLarge(most);
    }
  } catch (error) {
    throw errorAbout("read", inputName(path), error);
  }
  return Buffer.concat(pieces);
}
