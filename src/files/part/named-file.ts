/**
 * NamedFile: one document in one file, which is in a folder beside its name (part-folder.ts), or in
 * memory, until the document is whole.
 */
import { chmodSync, constants, copyFileSync, rmSync } from "node:fs";
import type { Destination, DocumentIdentity, PartialDocument } from "../destination.ts";
import { fileError, writing } from "../file-error.ts";
import { endOfRest, type Gap, missingBehind } from "../gaps.ts";
import { followLinks } from "../links.ts";
import { existingFile, found, readRange, readTail } from "../regular-file.ts";
import { DataFile } from "./data-file.ts";
import { hasPartFolder, type PartFolder, removeSecondName } from "./part-folder.ts";
import { type Collision, partialMode, publish, setTime } from "./publish.ts";
import { inMemory, type SmallDocument } from "./small-document.ts";
import { alreadyThere, publishNumbered, reserveName } from "./reserve-name.ts";

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  readonly #path: string;
  readonly #collision: Collision;
  #folder: PartFolder | undefined;
  #small: SmallDocument | undefined;
  #data: DataFile | undefined;
  #document: DocumentIdentity | undefined;
  /** The file with the final name, where its octets are the document's beginning. */
  #inPlace: string | undefined;

  /** Creates no file yet. */
  constructor(path: string, collision: Collision) {
    this.label = path;
    this.#path = path;
    this.#collision = collision;
  }

  partial(): PartialDocument | undefined {
    this.#toDisk();
    if (this.#data !== undefined) return this.#partialOf(this.#data);
    if (this.#collision !== "resume" && this.#collision !== "continue") return undefined;
    // Where a link leads to a directory, an earlier run has made one.
    if (found(this.#path)?.isDirectory()) return undefined;
    const path = followLinks(this.#path);
    const left = hasPartFolder(path) ? this.#reserve().read() : undefined;
    return left ?? (this.#collision === "continue" ? this.#partialInPlace(path) : undefined);
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#source, offset, length);
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return readRange(this.#source, start, end - start);
  }

  open(document: DocumentIdentity, missing: readonly Gap[], isInOrder = true): void {
    this.#dropSmall();
    this.#document = document;
    if (this.#inPlace !== undefined && missing.length === 0) return; // it stays as it is
    const isNew = this.#folder === undefined && endOfRest(missing, document.size) === 0;
    if (isNew && isInOrder) this.#small = inMemory(this.#path, this.#collision, document);
    if (this.#small === undefined) this.#openData(document, missing, isInOrder);
    else this.label = this.#small.path;
  }

  /** The state is written after the octets: it never says that too little is missing. */
  save(missing: readonly Gap[]): void {
    if (this.#document !== undefined) this.#folder?.write(this.#document, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) return this.#small.write(chunk);
    return this.#opened.write(chunk, position);
  }

  /** How many octets the file has. */
  get end(): number {
    return this.#data?.end ?? 0;
  }

  /** Without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    const published = this.#small?.publish(modified);
    if (published === undefined) this.#toDisk();
    else this.#dropSmall();
    this.label = published ?? (await this.#publishData(modified));
  }

  async keep(): Promise<number> {
    this.#toDisk();
    const [folder, data] = [this.#folder, this.#data];
    if (folder === undefined) {
      this.#release();
      return 0;
    }
    try {
      await data?.idle();
      // Nothing is known of octets that another program has changed.
      const { octets = 0, document } = (data?.trouble === undefined && folder.read()) || {};
      await this.#closeData();
      // Without a size, no run can resume them.
      const resumable = document?.size === undefined ? 0 : octets;
      if (resumable > 0) await folder.keep();
      else folder.remove();
      return resumable;
    } catch (error) {
      throw fileError("write", folder.path, error);
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

  #partialOf({ end: octets, isInOrder }: DataFile): PartialDocument | undefined {
    if (!isInOrder) return this.#folder?.read();
    return octets === 0 ? undefined : { octets, document: this.#document };
  }

  #partialInPlace(path: string): PartialDocument | undefined {
    const inPlace = existingFile(path);
    if (inPlace === undefined || inPlace.size === 0) return undefined;
    removeSecondName(path);
    this.#inPlace = path;
    return { octets: inPlace.size, document: undefined, inPlace };
  }

  get #source(): string {
    return this.#inPlace ?? this.#reserve().data;
  }

  get #opened(): DataFile {
    if (this.#data === undefined) throw new Error("a document was written before it was opened");
    return this.#data;
  }

  /** @throws FtpullError "file" where another process has the name, or no file can take it */
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
    const { octets } = this.#small ?? {};
    this.#dropSmall();
    if (octets === undefined || this.#document === undefined) return;
    this.#openData(this.#document, missingBehind(0), true);
    if (octets.length > 0) void this.#opened.write(octets, 0); // a file's first write is synchronous
  }

  #dropSmall(): void {
    this.#small?.release();
    this.#small = undefined;
  }

  /** Keeps the octets before what is missing at the end. */
  #openData(document: DocumentIdentity, missing: readonly Gap[], isInOrder: boolean): void {
    const folder = this.#reserve();
    const start = endOfRest(missing, document.size);
    // What can't be closed, and was to stay, is found when the whole gets its name.
    if (start === 0 || this.#data?.isInOrder !== isInOrder)
      this.#closeData().catch(() => undefined);
    writing(folder.data, () => {
      if (this.#data === undefined) {
        this.#prepare(folder.data, start);
        folder.write(document, isInOrder ? undefined : missing);
        const replaced = this.#collision === "number" ? undefined : found(folder.path);
        const mode = start > 0 ? "existing" : partialMode(replaced);
        this.#data = new DataFile(folder.data, isInOrder, mode);
      }
      this.#data.truncate(start);
    });
  }

  /** A new file, never the old one truncated: that could be a link to something else. */
  #prepare(data: string, start: number): void {
    const inPlace = this.#inPlace;
    this.#inPlace = undefined;
    if (start === 0 || inPlace !== undefined) rmSync(data, { force: true });
    if (start > 0 && inPlace !== undefined) copy(inPlace, data);
  }

  async #publishData(modified: Date | undefined): Promise<string> {
    if (this.#inPlace !== undefined) return this.#publishInPlace(this.#inPlace, modified);
    const [data, folder] = [this.#opened, this.#reserve()];
    await data.idle();
    const { trouble } = data; // another look could find that it is over
    if (trouble !== undefined) throw trouble;
    if (modified !== undefined) setTime(folder.data, modified);
    await this.#closeData();
    const { path } = folder;
    let published = writing(path, () => publish(folder.data, path, this.#collision));
    if (published === undefined && this.#collision === "number")
      published = publishNumbered(folder.data, this.#path);
    folder.remove();
    this.#release();
    if (published === undefined) throw alreadyThere(path);
    return published;
  }

  /** All octets are in the file that was there. */
  #publishInPlace(path: string, modified: Date | undefined): string {
    if (modified !== undefined) setTime(path, modified);
    this.#folder?.remove();
    this.#release();
    return path;
  }

  async #closeData(): Promise<void> {
    const data = this.#data;
    this.#data = undefined;
    await data?.idle();
    writing(this.#path, () => data?.close());
  }
}

/** The user's file stays as it is until the document is whole. Some file systems copy at once. */
function copy(path: string, data: string): void {
  copyFileSync(path, data, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(data, ((found(path)?.mode ?? 0) & 0o777) | 0o600);
}
