/** The open file `data` of a document's folder, which another program may change or replace. */
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
} from "node:fs";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { FileWriter } from "../file-writer.ts";
import { foundExactly } from "../regular-file.ts";

const flagsForExisting = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
const flagsForNew = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;

export class DataFile extends FileWriter {
  readonly #path: string;
  /** Octets in order are appended: where another program cuts the file, positions would leave a hole. */
  readonly isInOrder: boolean;

  constructor(path: string, isInOrder: boolean, storedOctets: number) {
    const flags = storedOctets > 0 ? flagsForExisting : flagsForNew;
    super(openSync(path, isInOrder ? flags | constants.O_APPEND : flags), `"${path}"`);
    this.#path = path;
    this.isInOrder = isInOrder;
    this.end = fstatSync(this.fd).size;
  }

  override write(chunk: Buffer, position: number): void {
    if (this.isInOrder && position !== this.end)
      throw new Error(`octet ${position} was appended at ${this.end}`);
    super.write(chunk, position);
  }

  truncate(octets: number): void {
    const { size } = fstatSync(this.fd);
    if (size < octets) throw this.#changed(octets, size);
    ftruncateSync(this.fd, octets);
    this.end = octets;
  }

  /** Returns an error unless the name still leads to exactly the octets that were written. */
  close(): Error | undefined {
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
    const size = Number(named.size);
    return size === this.end ? undefined : this.#changed(this.end, size);
  }

  #changed(expected: number, found: number): Error {
    const words = `expected ${expected} octets, found ${found}`;
    return cannotWrite(this.#path, `another program changed it: ${words}`);
  }
}

export function copyAnew(source: string, path: string): void {
  rmSync(path, { force: true });
  copyFileSync(source, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
}
