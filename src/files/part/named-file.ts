/** A document in one file: until it is whole, in a folder beside its name (part-folder.ts), or in memory. */
import { chmodSync, constants, copyFileSync, rmSync } from "node:fs";
import type { Destination, Version, PartialDocument } from "../destination.ts";
import { NameTaken } from "../claims.ts";
import { withWriteErrors } from "../file-error.ts";
import { endOfRest, type Gap, missingBehind } from "../gaps.ts";
import { followLinks } from "../links.ts";
import { existingFile, found, readRange, readTail } from "../regular-file.ts";
import { DataFile } from "./data-file.ts";
import { hasPartFolder, type PartFolder } from "./part-folder.ts";
import { type Collision, partialMode, setTime } from "./publish.ts";
import { inMemory, type SmallDocument } from "./small-document.ts";
import { alreadyThere, publishReserved, reserveName } from "./reserve-name.ts";
import { removeLeftovers } from "./temporary.ts";

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  isFree = false;
  dropped = 0;
  readonly #path: string;
  readonly #collision: Collision;
  #small: SmallDocument | undefined;
  #inPlace: string | undefined;
  #folder: PartFolder | undefined;
  #data: DataFile | undefined;
  #version: Version | undefined;

  constructor(path: string, collision: Collision) {
    this.label = path;
    this.#path = path;
    this.#collision = collision;
  }

  partial(): PartialDocument | undefined {
    this.#toDisk();
    if (this.#data !== undefined) return this.#folder?.read();
    if (this.#collision !== "resume" && this.#collision !== "continue") return undefined;
    if (found(this.#path)?.isDirectory()) return undefined;
    const path = followLinks(this.#path);
    removeLeftovers(path);
    const left = hasPartFolder(path) ? this.#reserve().read() : undefined;
    return left ?? (this.#collision === "continue" ? this.#partialInPlace(path) : undefined);
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#source, offset, length);
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return readRange(this.#source, start, end - start, "refuse");
  }

  open(version: Version, missing: readonly Gap[], isInOrder = true): void {
    this.#dropSmall();
    this.#version = version;
    if (this.#inPlace !== undefined && missing.length === 0) return; // The file stays as it is.
    const isNew = this.#folder === undefined && endOfRest(missing, version.size) === 0;
    const { isFree } = this;
    this.isFree = false;
    if (isNew && isInOrder)
      this.#small = inMemory(this.#path, this.#collision, version.size, isFree);
    if (this.#small === undefined) this.#openData(version, missing, isInOrder);
    else this.label = this.#small.path;
  }

  /** Called after the octets are written: a state never claims more than is stored. */
  save(missing: readonly Gap[]): void {
    if (this.#version !== undefined) this.#folder?.write(this.#version, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) return this.#small.write(chunk);
    return this.#data!.write(chunk, position);
  }

  get octets(): number {
    return this.#data?.end ?? this.#small?.octets.length ?? 0;
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    if (this.#small?.publish(modified)) return this.#dropSmall();
    this.#toDisk();
    const inPlace = this.#inPlace;
    if (inPlace !== undefined && modified !== undefined) setTime(inPlace, modified);
    const published = inPlace ?? (await this.#publishData(modified));
    await this.discard();
    if (published === undefined) throw alreadyThere(this.label);
    this.label = published;
  }

  async keep(): Promise<number> {
    this.#toDisk();
    const folder = this.#folder;
    try {
      const trouble = await this.#closeData();
      // Octets that another program has changed are of no use; without a size, no run resumes any.
      const { octets = 0, document } = (trouble === undefined && folder?.read()) || {};
      const resumable = document?.size === undefined ? 0 : octets;
      if (resumable > 0) await folder?.keep();
      else folder?.remove();
      return resumable;
    } finally {
      this.#release();
    }
  }

  async discard(): Promise<void> {
    this.#dropSmall();
    await this.#closeData();
    this.#folder?.remove();
    this.#release();
  }

  #partialInPlace(path: string): PartialDocument | undefined {
    const inPlace = existingFile(path);
    if (inPlace === undefined || inPlace.size === 0) return undefined;
    this.#inPlace = path;
    return { octets: inPlace.size, document: undefined, inPlace };
  }

  get #source(): string {
    return this.#inPlace ?? this.#reserve().data;
  }

  #reserve(): PartFolder {
    this.#folder ??= reserveName(this.#path, this.#collision);
    this.label = this.#folder.path;
    return this.#folder;
  }

  #release(): void {
    this.#folder = undefined;
    this.#inPlace = undefined;
  }

  #toDisk(): void {
    const small = this.#small;
    this.#dropSmall();
    if (small === undefined || this.#version === undefined) return;
    this.#openData(this.#version, missingBehind(0), true);
    void this.#data?.write(small.octets, 0); // A file's first write is synchronous.
  }

  #dropSmall(): void {
    this.#small?.release();
    this.#small = undefined;
  }

  #openData(version: Version, missing: readonly Gap[], isInOrder: boolean): void {
    const folder = this.#reserve();
    folder.checkOwner();
    const start = endOfRest(missing, version.size);
    // `publish` finds a failure to close, which matters only for octets that stay.
    if (start === 0 || this.#data?.isInOrder !== isInOrder)
      this.#closeData().catch(() => undefined);
    withWriteErrors(folder.data, () => {
      const mode = partialMode(folder.path, this.#collision);
      const left = this.#data === undefined && start === 0 ? folder.read() : undefined;
      if (left?.document?.size !== undefined) this.dropped = left.octets;
      if (this.#data === undefined) this.#prepare(folder.data, start, mode);
      folder.write(version, isInOrder ? undefined : missing);
      this.#data ??= new DataFile(folder.data, isInOrder, start, mode);
      this.#data.truncate(start);
    });
  }

  /** Makes room for a new file: truncating the old one could reach another file through a link. */
  #prepare(data: string, start: number, mode: number | undefined): void {
    const inPlace = this.#inPlace;
    this.#inPlace = undefined;
    if (start === 0 || inPlace !== undefined) rmSync(data, { force: true });
    if (start === 0 || inPlace === undefined) return;
    // The user's file stays as it is until the document is whole. Some file systems copy at once.
    copyFileSync(inPlace, data, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    if (mode !== undefined) chmodSync(data, mode);
  }

  async #publishData(modified: Date | undefined): Promise<string | undefined> {
    if (this.#data === undefined) throw new Error("a document was published before it was opened");
    const { data, path } = this.#reserve();
    const trouble = await this.#closeData();
    if (trouble !== undefined) {
      await this.discard();
      throw trouble;
    }
    if (modified !== undefined) setTime(data, modified);
    try {
      return publishReserved(data, path, this.#path, this.#collision);
    } catch (error) {
      if (error instanceof NameTaken) await this.discard();
      throw error;
    }
  }

  async #closeData(): Promise<Error | undefined> {
    const data = this.#data;
    this.#data = undefined;
    return data?.close();
  }
}
