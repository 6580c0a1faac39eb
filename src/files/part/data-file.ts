/** The open file of a document's octets. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from "node:fs";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { FileWriter } from "../file-writer.ts";
import { foundExactly } from "../regular-file.ts";

/** Refuses symbolic links; Windows has no O_NOFOLLOW. */
const existing = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
const created = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

export class DataFile extends FileWriter {
  readonly #path: string;
  /** Octets in order are appended: where another program cuts the file, positions would leave a hole. */
  readonly isInOrder: boolean;

  /** Without stored octets, makes a new file of this mode. @throws the system's error */
  constructor(path: string, isInOrder: boolean, stored: number, mode: number | undefined) {
    const flags = (stored > 0 ? existing : created) | (isInOrder ? constants.O_APPEND : 0);
    super(openSync(path, flags, mode), `"${path}"`);
    this.#path = path;
    this.isInOrder = isInOrder;
    const { size, nlink } = fstatSync(this.fd);
    this.end = size;
    if (nlink < 2) return;
    closeSync(this.fd);
    throw cannotWrite(path, "it has another name, too");
  }

  override write(chunk: Buffer, position: number): void | Promise<void> {
    if (this.isInOrder && position !== this.end)
      throw new Error(`octet ${position} was appended at ${this.end}`);
    return super.write(chunk, position);
  }

  /** Keeps the first `octets` octets. @throws FtpullError "file" if there are fewer */
  truncate(octets: number): void {
    const { size } = fstatSync(this.fd);
    if (size < octets) throw this.#changed(octets, size);
    ftruncateSync(this.fd, octets);
    this.end = octets;
  }

  /** Resolves with an error if the name no longer leads to exactly the octets written. */
  async close(): Promise<Error | undefined> {
    await this.idle();
    try {
      return this.#trouble();
    } finally {
      withWriteErrors(this.#path, () => closeSync(this.fd));
    }
  }

  #trouble(): Error | undefined {
    const named = foundExactly(this.#path);
    if (named === undefined)
      return cannotWrite(this.#path, "it was removed or moved away: no such file or directory");
    // On Windows a descriptor's device can have another number.
    const opened = withWriteErrors(this.#path, () => fstatSync(this.fd, { bigint: true }));
    if (named.ino !== opened.ino)
      return cannotWrite(this.#path, "another file was put in its place");
    return Number(named.size) === this.end
      ? undefined
      : this.#changed(this.end, Number(named.size));
  }

  #changed(expected: number, found: number): Error {
    const words = `expected ${expected} octets, found ${found}`;
    return cannotWrite(this.#path, `another program changed it: ${words}`);
  }
}
