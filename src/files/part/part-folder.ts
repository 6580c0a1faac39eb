/**
 * The folder `name.ftpull`, in which a document is until it is whole: the right to write `name`. A file's
 * name tells its owner (owner.ts), `data` has the octets, `state.json` the document that they belong to.
 * Files in it are opened without following links. A process that was asleep while another one took the
 * folder over leaves it alone.
 */
import { chmodSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Version, PartialDocument } from "../destination.ts";
import { cannotWrite, ifPossible, withWriteErrors } from "../file-error.ts";
import { endOfRest, octetsIn, type Gap } from "../gaps.ts";
import { folderSuffix } from "../names.ts";
import { isTaken, syncFile } from "../regular-file.ts";
import { copyAnew, DataFile } from "./data-file.ts";
import { noOwner, thisProcess } from "./owner.ts";
import { contentNames, removeEmpty, reserveFolder, storedIn } from "./reserve-folder.ts";
import { readState, writeState } from "./state.ts";
import { removeLeftovers } from "./temporary.ts";

export function hasPartFolder(path: string): boolean {
  return isTaken(path + folderSuffix);
}

/** Removes an ended run's leftover beside a file. Unless that `isWhole`, stored octets stay: returns their folder. */
export function removeLeft(path: string, isWhole: boolean): string | undefined {
  removeLeftovers(path);
  if (!hasPartFolder(path)) return undefined;
  const folder = path + folderSuffix;
  if (!isWhole && storedIn(join(folder, "data")) > 0) return folder;
  // Another program's folder may stay: nothing is written to it.
  const reserved = ifPossible(() => PartFolder.reserve(path));
  if (reserved instanceof PartFolder) ifPossible(() => reserved.remove());
  return undefined;
}

export class PartFolder {
  readonly path: string;
  readonly data: string;
  dropped = 0;
  readonly #folder: string;
  #file: DataFile | undefined;

  private constructor(path: string) {
    this.path = path;
    this.#folder = path + folderSuffix;
    this.data = join(this.#folder, "data");
  }

  /** Reserves the right to write `path`, or returns why a process has it. @throws FtpullError "file" */
  static reserve(path: string): PartFolder | string {
    return reserveFolder(path) ?? new PartFolder(path);
  }

  read(): PartialDocument | undefined {
    const length = storedIn(this.data);
    if (length === 0) return undefined;
    const { document, missing } = readState(this.#folder) ?? {};
    if (missing === undefined) return { octets: length, document };
    const { size = 0 } = document ?? {};
    // The state is worthless if the file was cut; and no run saves one without gaps.
    if (endOfRest(missing, size) > length || missing.length === 0)
      return { octets: length, document: undefined };
    const octets = size - octetsIn(missing);
    return octets === 0 ? undefined : { octets, document, missing };
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  get octets(): number {
    return this.#file?.end ?? 0;
  }

  /** Opens `data` for what is missing; other octets are here, or in the file `inPlace`. @throws FtpullError "file" */
  open(document: Version, missing: readonly Gap[], isInOrder: boolean, inPlace?: string): void {
    this.#checkOwner();
    const start = endOfRest(missing, document.size);
    // A failure to close matters only for octets that are published: there it is found.
    if (start === 0 || this.#file?.isInOrder !== isInOrder) ifPossible(() => this.close());
    withWriteErrors(this.data, () => {
      if (this.#file === undefined) this.#prepare(start, inPlace);
      this.write(document, isInOrder ? null : missing);
      this.#file ??= new DataFile(this.data, isInOrder, start);
      this.#file.truncate(start);
    });
  }

  /** Writes the state. @throws FtpullError "file" if another process has taken the folder over */
  write(document: Version, missing: readonly Gap[] | null = null): void {
    this.#checkOwner();
    withWriteErrors(this.#folder, () => writeState(this.#folder, document, missing));
  }

  writeAt(position: number, chunk: Buffer): void {
    this.#file!.write(chunk, position);
  }

  close(): Error | undefined {
    const file = this.#file;
    this.#file = undefined;
    return file?.close();
  }

  /** Leaves the folder to a later run; resolves with how many octets, on disk, that can resume. */
  async keep(): Promise<number> {
    const trouble = this.close();
    const { octets = 0, document } = (trouble === undefined && this.read()) || {};
    if (octets === 0 || document?.size === undefined) {
      this.remove();
      return 0;
    }
    await Promise.all([syncFile(this.data), syncFile(this.#inside("state.json"))]);
    withWriteErrors(this.#folder, () => renameSync(this.#own, this.#inside(noOwner)));
    return octets;
  }

  /** Removes the owner's name last: after a kill, the rest is still recognized as this program's. */
  remove(): void {
    if (!isTaken(this.#own)) return;
    withWriteErrors(this.#folder, () => {
      for (const name of contentNames) rmSync(this.#inside(name), { force: true });
      rmSync(this.#own, { force: true });
      removeEmpty(this.#folder);
    });
  }

  /** Makes room for a new file: truncating the old one could reach another file through a link. */
  #prepare(start: number, inPlace: string | undefined): void {
    const left = start === 0 ? this.read() : undefined;
    if (left?.document?.size !== undefined) this.dropped = left.octets;
    if (start === 0) return rmSync(this.data, { force: true });
    if (inPlace === undefined) return;
    copyAnew(inPlace, this.data);
    chmodSync(this.data, 0o600); // This user may not write to the file in place.
  }

  #checkOwner(): void {
    if (!isTaken(this.#own)) throw cannotWrite(this.#folder, "another process has taken it over");
  }

  get #own(): string {
    return this.#inside(thisProcess().name);
  }

  #inside(name: string): string {
    return join(this.#folder, name);
  }
}
