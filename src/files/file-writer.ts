/** Writes to an open file, or to a device that doesn't block: synchronously, which is cheapest. */
import { writeSync } from "node:fs";
import { errorAbout } from "./file-error.ts";

export class FileWriter {
  readonly fd: number;
  end = 0;
  readonly #what: string;

  constructor(fd: number, what: string) {
    this.fd = fd;
    this.#what = what;
  }

  write(chunk: Buffer, position?: number): void {
    let written = 0;
    // An empty chunk isn't written: /dev/full refuses even that.
    while (written < chunk.length) {
      const at = position === undefined ? undefined : position + written;
      written += this.#writePart(chunk.subarray(written), at);
      if (position !== undefined) this.end = Math.max(this.end, position + written);
    }
  }

  #writePart(chunk: Buffer, position?: number): number {
    try {
      return writeSync(this.fd, chunk, 0, chunk.length, position);
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }
}
