/** Files, FIFOs and devices that options name, and standard input (`-`). */
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { errorAbout } from "./file-error.ts";
import { tooLarge } from "./regular-file.ts";

export function inputName(path: string): string {
  return path === "-" ? "standard input" : `"${path}"`;
}

/** Reads a whole input. @throws FtpullError "file", also for more than `most` octets */
export function readInput(path: string, most = 16 * 1024 * 1024): Promise<Buffer> {
  return buffer(inputPieces(path, most));
}

export async function* inputPieces(path: string, most: number): AsyncGenerator<Buffer> {
  let total = 0;
  try {
    for await (const chunk of path === "-" ? process.stdin : createReadStream(path)) {
      const piece = chunk as Buffer;
      total += piece.length;
      if (total > most) throw tooLarge(most);
      yield piece;
    }
  } catch (error) {
    throw errorAbout("read", inputName(path), error);
  }
}
