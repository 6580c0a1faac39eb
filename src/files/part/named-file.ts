/**
 * NamedFile: one document into one file, which is `name.part` with its note `name.part.json`
 * until it is whole and becomes `name`. Which name that is, is reserve.ts's affair.
 */
import { constants, renameSync } from "node:fs";
import { FtpullError } from "../../errors.ts";
import type { Destination, DocumentIdentity, PartialDocument, Scattered } from "../destination.ts";
import { fileError, writing } from "../file-error.ts";
import type { FileWriter } from "../file-writer.ts";
import { octetsIn, type Gap } from "../gaps.ts";
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
import { hasNote, readPartial, removePart, removeState, writeState } from "./part-state.ts";
import { partialMode, publishBeside, publishOver, setTime } from "./publish.ts";
import { announce, type Claim, reserveExactly, reserveFree, release } from "./reserve.ts";

/** What happens when the name is there: another name, a new file in its place, or the rest of it. */
export type Collision = "number" | "replace" | "continue";

/** Never through a symbolic link that somebody put there; Windows has no such flag. */
const resumeFlags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

export class NamedFile implements Destination {
  readonly rewindable = true;
  protected readonly path: string;
  protected readonly collision: Collision;
  /** The name that the file is to have, once it is claimed for this run. */
  protected reserved: Claim | undefined;
  /** The name that it got. */
  protected published: string | undefined;
  #file: PartFile | undefined;
  #writer: FileWriter | undefined;
  #next: { document: DocumentIdentity; offset: number } | undefined;

  /** Touches nothing yet; directories of `path` that are missing are made when they are needed. */
  constructor(path: string, collision: Collision) {
    this.path = path;
    this.collision = collision;
    announce(path);
  }

  get label(): string {
    return this.published ?? this.reserved?.path ?? this.path;
  }

  partial(): PartialDocument | undefined {
    this.#file?.look();
    if (this.#file !== undefined) return readPartial(this.#part, this.#octets);
    if (this.collision !== "continue") return undefined;
    const partial = readPartial(this.#part, this.#octets);
    if (partial === undefined) return this.#inPlace();
    return isSparse(this.#part) ? { ...partial, isSparse: true } : partial;
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#source, offset, length);
  }

  /** Those behind `start`, where the document doesn't begin the file. */
  stored(octets: number, start = 0): AsyncIterable<Buffer> {
    return readRange(this.#source, start, octets);
  }

  begin(document: DocumentIdentity, offset: number): void {
    this.#reserve();
    this.#next = { document, offset };
  }

  write(chunk: Buffer): void | Promise<void> {
    return this.#ready().write(chunk);
  }

  scatter(document: DocumentIdentity, missing: readonly Gap[]): Scattered {
    const part = this.#part;
    this.#next = undefined;
    writing(part, () => {
      if (octetsIn(missing) === document.size) this.#create(document, missing);
      else this.#reopen(document, missing);
    });
    this.#writer = undefined;
    return scattered(this.#file!, part, document);
  }

  /** Where in the file the next octet goes. */
  get position(): number {
    return this.#next?.offset ?? this.#octets;
  }

  /** How many octets a later run can build on: none where it couldn't tell whose they are. */
  async resumable(): Promise<number> {
    await this.#file?.idle();
    if (this.reserved === undefined || this.#file?.isIntact === false) return 0;
    const { octets = 0, document } = readPartial(this.#part, this.#octets) ?? {};
    return document?.size === undefined ? 0 : octets;
  }

  /** Forgets whose octets these are: no later run resumes them. */
  forget(): void {
    writeState(this.#part, undefined);
  }

  /** Nothing is forced to the disk: a kill can't harm it, and after a power failure it is fetched again. */
  async finish(modified: Date | undefined): Promise<string> {
    this.#ready();
    const file = this.#file!;
    await file.idle();
    file.lookAtEnd();
    if (modified !== undefined) setTime(file.fd, modified);
    this.#closeFile();
    const { part, path } = this.#reserve();
    // A document takes the place of what another one's earlier run has left.
    if (path.endsWith(".part") && hasNote(path)) removeState(path);
    const place = this.collision === "number" ? publishBeside : publishOver;
    this.published = writing(path, () => place(part, path));
    removeState(part);
    this.#release();
    return this.published;
  }

  async close(): Promise<number> {
    if (this.reserved === undefined) return 0;
    const [part, isWritten] = [this.#part, this.#file !== undefined];
    const octets = await this.resumable();
    try {
      if (this.#file?.isIntact === false) this.#removePart();
      else this.#closeFile();
      if (!isTaken(part)) removeState(part); // somebody removed it, or it couldn't be made
      if (isWritten) await Promise.all([syncFile(part), syncFile(`${part}.json`)]);
      return octets;
    } catch (error) {
      throw fileError("write", part, error);
    } finally {
      this.#release();
    }
  }

  async discard(): Promise<void> {
    if (this.reserved === undefined) return;
    await this.#file?.idle();
    this.#removePart();
    this.#release();
  }

  #reserve(): Claim {
    const reserve = this.collision === "number" ? reserveFree : reserveExactly;
    return (this.reserved ??= reserve(this.path));
  }

  #release(): void {
    if (this.reserved !== undefined) release(this.reserved);
    this.reserved = undefined;
    this.#next = undefined;
  }

  get #part(): string {
    return this.#reserve().part;
  }

  /** Octets in the partial file. */
  get #octets(): number {
    return this.#writer?.position ?? regularSize(this.#part) ?? 0;
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

  /** Creates or opens the file where a document was begun since. */
  #ready(): FileWriter {
    const next = this.#next;
    if (next !== undefined) this.#writer = this.#open(next.document, next.offset);
    this.#next = undefined;
    if (this.#writer === undefined) throw new Error("a document was written before it was begun");
    return this.#writer;
  }

  #open(document: DocumentIdentity, offset: number): FileWriter {
    return writing(this.#part, () => {
      if (offset === 0) this.#create(document);
      else {
        this.#reopen(document);
        this.#file!.truncate(offset);
      }
      return this.#file!.writerAt(offset);
    });
  }

  /** A new file, never the old one emptied: that could be a link to something else. */
  #create(document: DocumentIdentity, missing?: readonly Gap[]): void {
    this.#removePart();
    const part = this.#part;
    if (isTaken(part)) {
      const words = "another program has put a file there";
      throw new FtpullError("file", `cannot write "${part}": ${words}`);
    }
    writeState(part, document, missing);
    const replaced = this.collision === "number" ? undefined : found(this.#reserve().path);
    this.#file = new PartFile(part, "wx", partialMode(replaced));
  }

  #reopen(document: DocumentIdentity, missing?: readonly Gap[]): void {
    const isInPlace = this.#file === undefined && regularSize(this.#part) === undefined;
    if (isInPlace || missing) writeState(this.#part, document, missing);
    if (isInPlace) renameSync(this.#reserve().path, this.#part);
    this.#file ??= new PartFile(this.#part, resumeFlags);
  }

  /** Another file that has the name by now stays, and our note is no longer beside it. */
  #removePart(): void {
    const remove = this.#file?.isNamed === false ? removeState : removePart;
    this.#closeFile();
    remove(this.#part);
  }

  #closeFile(): void {
    const file = this.#file;
    this.#file = undefined;
    this.#writer = undefined;
    if (file !== undefined) writing(this.#part, () => file.close());
  }
}

/** `part`, open as `file`, in several places at once. Its note is written behind the octets: it never says too little is missing. */
function scattered(file: PartFile, part: string, document: DocumentIdentity): Scattered {
  return {
    writerAt: (position) => file.writerAt(position),
    save: (missing) => writeState(part, document, missing),
    idle: () => file.idle(),
  };
}
