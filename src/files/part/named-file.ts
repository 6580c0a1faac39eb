/**
 * NamedFile: one document in one file, which is in a folder beside its name (part-folder.ts), or in
 * memory, until the document is whole.
 */
import { chmodSync, constants, copyFileSync, openSync, closeSync, rmSync } from "node:fs";
import type { Destination, DocumentIdentity, PartialDocument } from "../destination.ts";
import { cannotWrite, fileError, writing } from "../file-error.ts";
import { endOfRest, type Gap } from "../gaps.ts";
import { descriptorOf, followLinks } from "../links.ts";
import { existingFile, found, isTaken, readRange, readTail } from "../regular-file.ts";
import { DataFile } from "./data-file.ts";
import { hasPartFolder, PartFolder, removeSecondName } from "./part-folder.ts";
import { type Collision, firstNumbered, partialMode, publish, setTime } from "./publish.ts";
import { inMemory, type SmallDocument } from "./small-document.ts";

export class NamedFile implements Destination {
  readonly rewindable = true;
  readonly #path: string;
  readonly #collision: Collision;
  #folder: PartFolder | undefined;
  #published: string | undefined;
  #small: SmallDocument | undefined;
  #data: DataFile | undefined;
  #document: DocumentIdentity | undefined;
  /** What was missing when the state was saved last, of a document that comes in any order. */
  #missing: readonly Gap[] | undefined;
  /** The file with the final name, where its octets are the document's beginning. */
  #inPlace: string | undefined;
  /** Where to cut the data before the next octet; undefined once it is cut. */
  #start: number | undefined;

  /** Creates no file yet. */
  constructor(path: string, collision: Collision) {
    this.#path = path;
    this.#collision = collision;
  }

  get label(): string {
    return this.#published ?? this.#small?.path ?? this.#folder?.path ?? this.#path;
  }

  partial(): PartialDocument | undefined {
    this.#toDisk();
    if (this.#data !== undefined) return this.#partialOf(this.#data);
    if (this.#collision !== "resume" && this.#collision !== "continue") return undefined;
    // Where a link leads to a directory, an earlier run has made one.
    if (found(this.#path)?.isDirectory()) return undefined;
    const path = followLinks(this.#path);
    const left = hasPartFolder(path) ? this.#take().read() : undefined;
    return left ?? (this.#collision === "continue" ? this.#partialInPlace(path) : undefined);
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#source, offset, length);
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return readRange(this.#source, start, end - start);
  }

  open(document: DocumentIdentity, missing: readonly Gap[]): void {
    this.#drop();
    this.#document = document;
    this.#missing = undefined;
    this.#start = endOfRest(missing, document.size);
    if (this.#start === 0 && this.#folder === undefined)
      this.#small = inMemory(this.#path, this.#collision, document);
    if (this.#small === undefined) this.#take();
  }

  /** The state is written after the octets: it never says that too little is missing. */
  save(missing: readonly Gap[]): void {
    this.#toDisk();
    const folder = this.#take();
    this.#ready(false);
    this.#missing = missing;
    if (this.#document !== undefined) folder.write(this.#document, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) return this.#small.write(chunk);
    return this.#ready().write(chunk, position);
  }

  /** Where the file ends when nothing more of the document comes. */
  get end(): number {
    return this.#start ?? this.#data?.end ?? 0;
  }

  /** Without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<string> {
    const published = this.#small?.publish(modified);
    if (published === undefined) this.#toDisk();
    else this.#drop();
    return (this.#published = published ?? (await this.#publishData(modified)));
  }

  async keep(): Promise<number> {
    this.#toDisk();
    const [folder, data] = [this.#folder, this.#data];
    if (folder === undefined) return 0;
    try {
      await data?.idle();
      // Nothing is known of octets that another program has changed.
      const isIntact = (data?.isIntact ?? true) && (folder.octets ?? 0) > 0;
      const { octets = 0, document } = (isIntact && folder.read()) || {};
      this.#closeData();
      // Without a size, no run can resume them.
      const resumable = document?.size === undefined ? 0 : octets;
      if (resumable > 0) await folder.leave();
      else folder.remove();
      return resumable;
    } catch (error) {
      throw fileError("write", folder.path, error);
    } finally {
      this.#release();
    }
  }

  async discard(): Promise<void> {
    this.#drop();
    await this.#data?.idle();
    this.#closeData();
    this.#folder?.remove();
    this.#release();
  }

  #partialOf({ end }: DataFile): PartialDocument | undefined {
    const [document, missing] = [this.#document, this.#missing];
    if (missing !== undefined) return this.#folder?.read();
    return end === 0 ? undefined : { octets: end, document, inPlace: false };
  }

  #partialInPlace(path: string): PartialDocument | undefined {
    const { octets = 0, modified } = existingFile(path) ?? {};
    if (octets === 0 || modified === undefined) return undefined;
    removeSecondName(path);
    this.#inPlace = path;
    return { octets, document: undefined, inPlace: true, modified };
  }

  get #source(): string {
    return this.#inPlace ?? this.#take().data;
  }

  /** @throws FtpullError "file" where another process has the name, or no file can take it */
  #take(): PartFolder {
    return (this.#folder ??= take(this.#path, this.#collision));
  }

  #release(): void {
    this.#folder = undefined;
    this.#inPlace = undefined;
    this.#start = undefined;
  }

  #toDisk(): void {
    const { octets } = this.#small ?? {};
    this.#drop();
    if (octets === undefined) return;
    this.#take();
    if (octets.length > 0) void this.#ready().write(octets, 0); // a file's first write is synchronous
  }

  #drop(): void {
    this.#small?.release();
    this.#small = undefined;
  }

  /** Creates or opens the data on the first use after `open`. */
  #ready(isInOrder = true): DataFile {
    const start = this.#start;
    this.#start = undefined;
    const { data } = this.#take();
    if (start === 0) writing(data, () => this.#create(isInOrder));
    else if (start !== undefined) writing(data, () => this.#reopen(start, isInOrder));
    if (!isInOrder && this.#data?.isInOrder) this.#scatter(this.#data);
    if (this.#data === undefined) throw new Error("a document was written before it was opened");
    return this.#data;
  }

  /** A new file, never the old one truncated: that could be a link to something else. */
  #create(isInOrder: boolean): void {
    const { path, data } = this.#take();
    this.#closeData();
    this.#inPlace = undefined;
    rmSync(data, { force: true });
    this.#saveDocument();
    const replaced = this.#collision === "number" ? undefined : found(path);
    this.#data = new DataFile(data, isInOrder, partialMode(replaced));
  }

  #reopen(start: number, isInOrder: boolean): void {
    const { data } = this.#take();
    if (this.#inPlace !== undefined) copy(this.#inPlace, data);
    if (this.#data === undefined) this.#saveDocument();
    this.#inPlace = undefined;
    this.#data ??= new DataFile(data, isInOrder, "existing");
    this.#data.truncate(start);
  }

  /** Octets that come in another order can't be appended. */
  #scatter(appending: DataFile): void {
    this.#data = new DataFile(this.#take().data, false, "existing");
    void appending.idle().then(() => appending.close());
  }

  #saveDocument(): void {
    if (this.#document !== undefined) this.#take().write(this.#document);
  }

  async #publishData(modified: Date | undefined): Promise<string> {
    if (this.#inPlace !== undefined && this.#start === this.#document?.size)
      return this.#publishInPlace(this.#inPlace, modified);
    const data = this.#ready();
    const folder = this.#take();
    await data.idle();
    data.check();
    if (modified !== undefined) setTime(data.fd, modified);
    this.#closeData();
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
    if (modified !== undefined) setTimeOf(path, modified);
    this.#folder?.remove();
    this.#release();
    return path;
  }

  #closeData(): void {
    const data = this.#data;
    this.#data = undefined;
    if (data !== undefined) writing(this.#path, () => data.close());
  }
}

/**
 * Takes the right to write a document's name: by "number" the first of `path`, `path.1` ... that
 * neither exists nor is being written, else `path`. There, as with wget and curl, a symbolic link
 * stays, and its target is replaced.
 */
function take(path: string, collision: Collision): PartFolder {
  if (collision === "number")
    return firstNumbered(path, (name) => {
      const taken = isTaken(name) ? undefined : PartFolder.take(name);
      return typeof taken === "string" ? undefined : taken;
    });
  const target = followLinks(path);
  refuseSpecial(target);
  if (collision === "fail" && isTaken(target)) throw alreadyThere(path);
  const taken = PartFolder.take(target);
  if (typeof taken === "string") throw cannotWrite(path, `${taken} is writing it`);
  return taken;
}

/** Another program has taken the name meanwhile: the next one that is free gets the document. */
function publishNumbered(data: string, path: string): string {
  const next = take(path, "number");
  try {
    const published = writing(next.path, () => publish(data, next.path, "number"));
    return published ?? publishNumbered(data, path);
  } finally {
    next.remove();
  }
}

function alreadyThere(path: string): Error {
  return cannotWrite(path, "it is there already");
}

function refuseSpecial(path: string): void {
  const present = found(path);
  const replaceable = present?.isFile() && descriptorOf(path) === undefined;
  if (present === undefined || replaceable) return;
  throw cannotWrite(path, present.isDirectory() ? "it is a directory" : "it is not a regular file");
}

/** The user's file stays as it is until the document is whole. Some file systems copy at once. */
function copy(path: string, data: string): void {
  rmSync(data, { force: true });
  copyFileSync(path, data, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(data, ((found(path)?.mode ?? 0) & 0o777) | 0o600);
}

function setTimeOf(path: string, modified: Date): void {
  const fd = openSync(path, "r");
  setTime(fd, modified);
  closeSync(fd);
}
