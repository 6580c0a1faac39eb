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

  /** Without `position`, writes at the descriptor's own. @throws FtpullError "file" */
  write(chunk: Buffer, position?: number): void {
    if (chunk.length === 0) return; // /dev/full refuses even that
    const octets = this.#writePart(chunk, position);
    const end = position === undefined ? undefined : position + octets;
    this.end = Math.max(this.end, end ?? 0);
    this.write(chunk.subarray(octets), end);
  }

  /** Returns how many octets were written: a disk that fills up takes a part before it refuses more. */
  #writePart(chunk: Buffer, position?: number): number {
    try {
      return writeSync(this.fd, chunk, 0, chunk.length, position);
    } catch (error) {
      throw errorAbout("write", this.#what, error);
    }
  }
}
