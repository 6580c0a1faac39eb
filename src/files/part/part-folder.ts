/**
 * The folder `name.ftpull`, in which a document is until it is whole: the right to write `name`. A file's
 * name tells its owner (owner.ts), `data` has the octets, `state.json` the document that they belong to.
 * No document can have such a name. Files in it are opened without following links. A process that was
 * asleep while another one took the folder over leaves it alone.
 */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Version, PartialDocument } from "../destination.ts";
import { cannotWrite, ifPossible, withWriteErrors } from "../file-error.ts";
import { endOfRest, octetsIn, type Gap } from "../gaps.ts";
import { folderSuffix } from "../names.ts";
import { isTaken, syncFile } from "../regular-file.ts";
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
  readonly #folder: string;

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

  /** @throws FtpullError "file" if another process has taken the folder over */
  checkOwner(): void {
    if (!isTaken(this.#own)) throw cannotWrite(this.#folder, "another process has taken it over");
  }

  write(document: Version, missing: readonly Gap[] | null = null): void {
    this.checkOwner();
    withWriteErrors(this.#folder, () => writeState(this.#folder, document, missing));
  }

  /** Leaves the folder to a later run, once its octets are on the disk. */
  async keep(): Promise<void> {
    await Promise.all([syncFile(this.data), syncFile(this.#inside("state.json"))]);
    withWriteErrors(this.#folder, () => renameSync(this.#own, this.#inside(noOwner)));
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

  get #own(): string {
    return this.#inside(thisProcess().name);
  }

  #inside(name: string): string {
    return join(this.#folder, name);
  }
}
