/**
 * NamedFile: one document in one file, which is `name.part` with the resume state `name.part.json`
 * until the document is whole. reserve.ts chooses the names.
 */
import { constants } from "node:fs";
import type { Destination, DocumentIdentity, PartialDocument } from "../destination.ts";
import { cannotWrite, fileError, writing } from "../file-error.ts";
import { endOfRest, type Gap } from "../gaps.ts";
import {
  found,
  isSparse,
  isTaken,
  readRange,
  readTail,
  regularSize,
  syncFile,
} from "../regular-file.ts";
import { giveBack, partialInPlace, takeOver } from "./in-place.ts";
import { PartFile } from "./part-file.ts";
import { hasState, readPartial, removePart, removeState, writeState } from "./part-state.ts";
import { partialMode, publish, setTime } from "./publish.ts";
import {
  alreadyThere,
  announce,
  type Collision,
  release,
  reserve,
  type Reservation,
  resumes,
} from "./reserve.ts";
import type { inMemory, SmallDocument } from "./small-document.ts";

/** Not through a symbolic link that another program put there; Windows has no such flag. */
const resumeFlags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

export class NamedFile implements Destination {
  readonly rewindable = true;
  readonly #path: string;
  readonly #collision: Collision;
  readonly #held: typeof inMemory | undefined;
  readonly #url: string | undefined;
  #reserved: Reservation | undefined;
  #published: string | undefined;
  #small: SmallDocument | undefined;
  #file: PartFile | undefined;
  #document: DocumentIdentity | undefined;
  /** Octets of a file that was written in place: without a publish it gets its name back. */
  #taken: number | undefined;
  /** Where to cut the partial file before the next octet; undefined once it is cut. */
  #start: number | undefined;

  /** Creates no file yet. `held` tells which documents wait in memory; `url` is the document's. */
  constructor(path: string, collision: Collision, held?: typeof inMemory, url?: string) {
    this.#path = path;
    this.#url = url;
    this.#collision = collision;
    this.#held = held;
    announce(path);
  }

  get label(): string {
    return this.#published ?? this.#small?.path ?? this.#reserved?.path ?? this.#path;
  }

  partial(): PartialDocument | undefined {
    this.#toDisk();
    this.#file?.look();
    // Where a link leads to a directory, an earlier run has made one.
    const mayBe = resumes(this.#collision) && found(this.#path)?.isDirectory() !== true;
    if (this.#file === undefined && !mayBe) return undefined;
    const { path, part } = this.#reserve();
    const partial = readPartial(part, this.#octets);
    if (this.#file !== undefined) return partial;
    if (partial === undefined)
      return this.#collision === "continue" ? partialInPlace(path) : undefined;
    return isSparse(part) ? { ...partial, isSparse: true } : partial;
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
    this.#start = endOfRest(missing, document.size);
    if (this.#start === 0 && this.#reserved === undefined)
      this.#small = this.#held?.(this.#path, this.#collision, document);
    if (this.#small === undefined) this.#reserve();
  }

  /** The state is written after the octets: it never says that too little is missing. */
  save(missing: readonly Gap[]): void {
    this.#toDisk();
    this.#ready();
    writeState(this.#part, this.#document, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) return this.#small.write(chunk);
    return this.#ready().write(chunk, position);
  }

  /** Where the file ends when nothing more of the document comes. */
  get end(): number {
    return this.#start ?? this.#octets;
  }

  /** Saves that the octets belong to no document: no later run resumes them. */
  forget(): void {
    writeState(this.#part, undefined);
  }

  /** Without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<string> {
    const published = this.#small?.publish(modified);
    if (published === undefined) this.#toDisk();
    else this.#drop();
    return (this.#published = published ?? (await this.#publishPart(modified)));
  }

  async keep(): Promise<number> {
    this.#toDisk();
    if (this.#reserved === undefined) return 0;
    const [part, file] = [this.#part, this.#file];
    try {
      await file?.idle();
      const isIntact = file?.isIntact ?? true;
      const { octets = 0, document } = (isIntact && readPartial(part, this.#octets)) || {};
      if (isIntact) this.#closeFile();
      else this.#removePart();
      if (!isTaken(part)) removeState(part); // another program removed it, or it couldn't be made
      if (file !== undefined) await Promise.all([syncFile(part), syncFile(`${part}.json`)]);
      return document?.size === undefined ? 0 : octets; // without a size, no run can resume them
    } catch (error) {
      throw fileError("write", part, error);
    } finally {
      this.#release();
    }
  }

  async discard(): Promise<void> {
    this.#drop();
    if (this.#reserved === undefined) return;
    await this.#file?.idle();
    this.#removePart();
    this.#release();
  }

  #reserve(): Reservation {
    return (this.#reserved ??= reserve(this.#path, this.#collision, this.#url));
  }

  #release(): void {
    if (this.#reserved !== undefined) release(this.#reserved);
    this.#reserved = undefined;
    this.#start = undefined;
  }

  get #part(): string {
    return this.#reserve().part;
  }

  get #octets(): number {
    return this.#file?.end ?? regularSize(this.#part) ?? 0;
  }

  get #source(): string {
    return this.#octets > 0 ? this.#part : this.#reserve().path;
  }

  #toDisk(): void {
    const { octets } = this.#small ?? {};
    this.#drop();
    if (octets === undefined) return;
    this.#reserve();
    if (octets.length > 0) void this.#ready().write(octets, 0); // a file's first write is synchronous
  }

  #drop(): void {
    this.#small?.release();
    this.#small = undefined;
  }

  /** Creates or opens the partial file on the first use after `open`. */
  #ready(): PartFile {
    const start = this.#start;
    this.#start = undefined;
    if (start === 0) writing(this.#part, () => this.#create());
    else if (start !== undefined) writing(this.#part, () => this.#reopen(start));
    if (this.#file === undefined) throw new Error("a document was written before it was opened");
    return this.#file;
  }

  /** A new file, never the old one truncated: that could be a link to something else. */
  #create(): void {
    this.#removePart();
    const part = this.#part;
    if (isTaken(part)) throw cannotWrite(part, "another program has put a file there");
    writeState(part, this.#document);
    const replaced = this.#collision === "number" ? undefined : found(this.#reserve().path);
    this.#file = new PartFile(part, "wx", partialMode(replaced));
  }

  #reopen(start: number): void {
    if (this.#file === undefined && regularSize(this.#part) === undefined)
      this.#taken = takeOver(this.#reserve(), this.#document);
    this.#file ??= new PartFile(this.#part, resumeFlags);
    this.#file.truncate(start);
  }

  async #publishPart(modified: Date | undefined): Promise<string> {
    const file = this.#ready();
    await file.idle();
    file.lookAtEnd();
    if (modified !== undefined) setTime(file.fd, modified);
    this.#closeFile();
    this.#taken = undefined;
    const { part, path } = this.#reserve();
    // A path that ends in .part may have the resume state of another document's earlier run.
    if (path.endsWith(".part") && hasState(path)) removeState(path);
    const published = writing(path, () => publish[this.#collision](part, path));
    if (published === undefined) {
      removePart(part);
      throw alreadyThere(path);
    }
    removeState(part);
    this.#release();
    return published;
  }

  /** A file that another program put there stays, without this program's resume state. */
  #removePart(): void {
    const isOurs = this.#file?.isNamed ?? true;
    if (isOurs && this.#taken !== undefined) giveBack(this.#reserve(), this.#taken);
    this.#taken = undefined;
    this.#closeFile();
    (isOurs ? removePart : removeState)(this.#part);
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) writing(this.#part, () => file.close());
  }
}
