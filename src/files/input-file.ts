/** Files, FIFOs and terminals that options name, and standard input (`-`). */
import { createReadStream, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { isatty, ReadStream } from "node:tty";
import { errorAbout } from "./file-error.ts";
import { descriptorOf } from "./links.ts";
import { readingFlags, tooLarge } from "./regular-file.ts";

/**
 * Opens an input so that a signal can end the wait: a thread in open(2) or read(2) would delay the end
 * of the process. A pipe /dev/fd/3 isn't reopened: if its writer is gone, it would never report its end.
 */
export function openInput(path: string): Readable {
  if (path === "-") return process.stdin;
  const fd = descriptorOf(path) ?? openSync(path, readingFlags.follow);
  if (isatty(fd)) return new ReadStream(fd);
  const stats = fstatSync(fd);
  const isPipe = stats.isFIFO() || stats.isSocket();
  return isPipe ? new Socket({ fd, writable: false }) : createReadStream(path, { fd });
}

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
    for await (const chunk of openInput(path)) {
      const piece = Buffer.from(chunk as Buffer);
      total += piece.length;
      if (total > most) throw tooLarge(most);
      yield piece;
    }
  } catch (error) {
    throw errorAbout("read", inputName(path), error);
  }
}
