/** Writes to an open file, or to a device that doesn't block: synchronously, which is cheapest. */
import { writeSync } from "node:fs";
import { errorAbout } from "./file-error.ts";

/** Writes all bytes, at a position or where the descriptor stands; `what` is its name in errors. */
export function writeAll(fd: number, what: string, chunk: Buffer, position?: number): void {
  try {
    for (let written = 0; written < chunk.length;) {
      const at = position === undefined ? undefined : position + written;
      written += writeSync(fd, chunk, written, chunk.length - written, at);
    }
  } catch (error) {
    throw errorAbout("write", what, error);
  }
}
