/**
 * The folder `NAME.ftpull`, which holds a document until it is whole. The process that owns the folder, and no
 * other, may write the file NAME. In the folder are:
 *   owner-...   an empty file, whose name tells the owner (owner.ts)
 *   data        the document's octets (data-file.ts)
 *   state.json  which document they are of, and which are missing (state.ts)
 * A process that was asleep while another one took the folder over finds its own name gone, and writes no more.
 */
import { chmodSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Version, PartialDocument } from "../destination.ts";
import { cannotWrite, ifPossible, withWriteErrors } from "../file-error.ts";
import { endOfStored, octetsIn, type Gap } from "../gaps.ts";
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

/** Removes what ended runs have left beside a file; returns the folder that stays, since octets are stored in it. */
export function removeLeft(path: string, which: "all" | "without octets"): string | undefined {
  removeLeftovers(path);
  if (!hasPartFolder(path)) return undefined;
  const folder = path + folderSuffix;
  if (which === "without octets" && storedIn(join(folder, "data")) > 0) return folder;
  // Another program's folder may stay: nothing is written to it.
  const reserved = ifPossible(() => PartFolder.reserve(path));
  if (reserved instanceof PartFolder) ifPossible(() => reserved.remove());
  return undefined;
}

export class PartFolder {
  readonly path: string;
  readonly data: string;
  dropped = 0;
  replaceable: unknown;
  readonly #folder: string;
  #file: DataFile | undefined;

  private constructor(path: string) {
    this.path = path;
    this.#folder = path + folderSuffix;
    this.data = join(this.#folder, "data");
  }

  static reserve(path: string): PartFolder | string {
    const reason = reserveFolder(path);
    return reason ?? new PartFolder(path);
  }

  read(): PartialDocument | undefined {
    const length = storedIn(this.data);
    if (length === 0) return undefined;
    const { document, missing, replaceable } = readState(this.#folder) ?? {};
    if (missing === undefined) return { octets: length, document, replaceable };
    const { size = 0 } = document ?? {};
    // The state is worthless if the file was cut; and no run saves a list of gaps without any.
    const isWorthless = missing.length === 0 || endOfStored(missing, size) > length;
    if (isWorthless) return { octets: length, document: undefined };
    const octets = size - octetsIn(missing);
    return octets === 0 ? undefined : { octets, document, missing, replaceable };
  }

  get isOpen(): boolean {
    return this.#file !== undefined;
  }

  get end(): number {
    return this.#file?.end ?? 0;
  }

  /** Opens `data` for what is missing; other octets are here, or in the file `inPlace`. @throws FtpullError "file" */
  open(document: Version, missing: readonly Gap[], isInOrder: boolean, inPlace?: string): void {
    this.#checkOwner();
    const kept = endOfStored(missing, document.size);
    // A failure to close matters only for octets that are published: there it is found.
    if (kept === 0 || this.#file?.isInOrder !== isInOrder) ifPossible(() => this.close());
    withWriteErrors(this.data, () => {
      if (this.#file === undefined) this.#prepareData(kept, inPlace);
      this.write(document, isInOrder ? undefined : missing);
      this.#file ??= new DataFile(this.data, isInOrder, kept);
      this.#file.truncate(kept);
    });
  }

  /** Writes the state; octets in order need no gaps. @throws FtpullError "file" if another process has the folder */
  write(document: Version, missing?: readonly Gap[]): void {
    this.#checkOwner();
    const { replaceable } = this;
    withWriteErrors(this.#folder, () =>
      writeState(this.#folder, { document, missing, replaceable }),
    );
  }

  writeAt(position: number, chunk: Buffer): void {
    this.#file!.write(chunk, position);
  }

  close(): Error | undefined {
    const file = this.#file;
    this.#file = undefined;
    return file?.close();
  }

  async keep(): Promise<number> {
    const trouble = this.close();
    const left = trouble === undefined ? this.read() : undefined;
    // Without a size, no later run could tell that the document is the same.
    if (left?.document?.size === undefined) {
      this.remove();
      return 0;
    }
    await Promise.all([syncFile(this.data), syncFile(this.#inside("state.json"))]);
    withWriteErrors(this.#folder, () => renameSync(this.#own, this.#inside(noOwner)));
    return left.octets;
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

  #prepareData(kept: number, inPlace: string | undefined): void {
    if (kept === 0) this.#dropData();
    else if (inPlace !== undefined) this.#copyData(inPlace);
  }

  /** Removes an earlier run's `data`: truncated, a file with a second name would lose its octets there, too. */
  #dropData(): void {
    const left = this.read();
    if (left?.document?.size !== undefined) this.dropped = left.octets;
    rmSync(this.data, { force: true });
  }

  #copyData(inPlace: string): void {
    copyAnew(inPlace, this.data);
    chmodSync(this.data, 0o600); // The copied permissions may keep this user from writing.
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
