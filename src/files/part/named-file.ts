/**
 * NamedFile: one document into one file, which is `name.part` with its resume state
 * `name.part.json` until it is whole and becomes `name`. reserve.ts chooses the names.
 */
import { constants, renameSync, truncateSync } from "node:fs";
import { FtpullError } from "../../errors.ts";
import type { Destination, DocumentIdentity, PartialDocument } from "../destination.ts";
import { fileError, writing } from "../file-error.ts";
import { endOfRest, type Gap } from "../gaps.ts";
import {
  existingFile,
  found,
  isSparse,
  isTaken,
  readRange,
  readTail,
  regularSize,
  syncFile,
} from "../regular-file.ts";
import { PartFile } from "./part-file.ts";
import { hasState, readPartial, removePart, removeState, writeState } from "./part-state.ts";
import { partialMode, publishBeside, publishOver, setTime } from "./publish.ts";
import { announce, type Collision, release, reserve, type Reservation } from "./reserve.ts";
import type { inMemory, SmallDocument } from "./small-document.ts";

/** Never through a symbolic link that another program put there; Windows has no such flag. */
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
  /** How many octets of the partial file were the finished name's own: it gets them back unless it is replaced. */
  #taken: number | undefined;
  /** Where the partial file has to end before the next octet; undefined once it does. */
  #start: number | undefined;

  /**
   * Touches nothing yet. `held` tells which documents wait in memory; without it none does. `url`
   * is the document's: what is kept of another one under a number stays.
   */
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
    if (this.#file !== undefined) return readPartial(this.#part, this.#octets);
    if (this.#collision !== "continue") return undefined;
    const partial = readPartial(this.#part, this.#octets);
    if (partial === undefined) return this.#inPlace();
    return isSparse(this.#part) ? { ...partial, isSparse: true } : partial;
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

  /** Behind the octets that have been written: it never says too little is missing. */
  save(missing: readonly Gap[]): void {
    this.#toDisk();
    this.#ready();
    writeState(this.#part, this.#document, missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#small !== undefined) return this.#small.write(chunk);
    return this.#ready().writeAt(position, chunk);
  }

  /** Where the file ends when nothing more of the document comes. */
  get end(): number {
    return this.#start ?? this.#octets;
  }

  /** Forgets whose octets these are: no later run resumes them. */
  forget(): void {
    writeState(this.#part, undefined);
  }

  /** Nothing is forced to the disk: a kill can't harm it, and after a power failure it is fetched again. */
  async publish(modified: Date | undefined): Promise<string> {
    this.#published = this.#small?.publish(modified);
    if (this.#published !== undefined) this.#drop();
    else {
      this.#toDisk();
      this.#published = await this.#publishPart(modified);
    }
    return this.#published;
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
      return document?.size === undefined ? 0 : octets; // else no run could tell whose they are
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

  /** Octets in the partial file. */
  get #octets(): number {
    return this.#file?.end ?? regularSize(this.#part) ?? 0;
  }

  /** Where the octets are. */
  get #source(): string {
    return this.#octets > 0 ? this.#part : this.#reserve().path;
  }

  /** wget and others write the name itself: what is there may be the beginning. */
  #inPlace(): PartialDocument | undefined {
    const octets = existingFile(this.#reserve().path)?.octets ?? 0;
    return octets > 0 ? { octets, document: undefined, inPlace: true } : undefined;
  }

  /** Writes a document that waits in memory to its partial file, as if it had just come. */
  #toDisk(): void {
    const { octets } = this.#small ?? {};
    this.#drop();
    if (octets === undefined) return;
    this.#reserve();
    if (octets.length > 0) void this.#ready().writeAt(0, octets); // a file's first write is synchronous
  }

  #drop(): void {
    this.#small?.release();
    this.#small = undefined;
  }

  /** The partial file, created or opened where a document was opened since. */
  #ready(): PartFile {
    const start = this.#start;
    this.#start = undefined;
    if (start === 0) writing(this.#part, () => this.#create());
    else if (start !== undefined) writing(this.#part, () => this.#reopen(start));
    if (this.#file === undefined) throw new Error("a document was written before it was opened");
    return this.#file;
  }

  /** A new file, never the old one emptied: that could be a link to something else. */
  #create(): void {
    this.#removePart();
    const part = this.#part;
    if (isTaken(part)) {
      const words = "another program has put a file there";
      throw new FtpullError("file", `cannot write "${part}": ${words}`);
    }
    writeState(part, this.#document);
    const replaced = this.#collision === "number" ? undefined : found(this.#reserve().path);
    this.#file = new PartFile(part, "wx", partialMode(replaced));
  }

  #reopen(start: number): void {
    if (this.#file === undefined && regularSize(this.#part) === undefined) {
      this.#taken = existingFile(this.#reserve().path)?.octets;
      writeState(this.#part, this.#document);
      renameSync(this.#reserve().path, this.#part);
    }
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
    // A document takes the place of what another one's earlier run has left.
    if (path.endsWith(".part") && hasState(path)) removeState(path);
    const place = this.#collision === "number" ? publishBeside : publishOver;
    const published = writing(path, () => place(part, path));
    removeState(part);
    this.#release();
    return published;
  }

  /** Another file that has the name by now stays, and our resume state is no longer beside it. */
  #removePart(): void {
    const remove = this.#file?.isNamed === false ? removeState : removePart;
    if (remove === removePart) this.#giveBack();
    this.#closeFile();
    remove(this.#part);
  }

  /** The beginning that another program wrote in place gets its name again. */
  #giveBack(): void {
    const [octets, { part, path }] = [this.#taken, this.#reserve()];
    this.#taken = undefined;
    if (octets === undefined || isTaken(path) || !hasState(part)) return;
    if ((regularSize(part) ?? 0) < octets) return;
    writing(path, () => {
      truncateSync(part, octets);
      renameSync(part, path);
    });
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    if (file !== undefined) writing(this.#part, () => file.close());
  }
}
