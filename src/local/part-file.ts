/**
 * PartFile: `name.part` and its note `name.part.json`, until they become `name`. It is
 * claimed before it is looked at, so that no two runs ever write the same one.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { FtpullError } from "../errors.ts";
import type { DocumentIdentity, PartialDocument, Scattered } from "./destination.ts";
import { fileError, writing } from "./file-error.ts";
import { setTime } from "./file-time.ts";
import { FileWriter } from "./file-writer.ts";
import { octetsIn, type Gap } from "./gaps.ts";
import { releaseLock, takeLock } from "./lock.ts";
import { readState, removeState, writeState } from "./part-state.ts";
import { placeBeside, placeOver } from "./place.ts";
import { ScatteredFile, scatteredPartial } from "./scattered-file.ts";
import {
  foundItself,
  isSameFile,
  isTaken,
  readRange,
  readTail,
  regularSize,
  syncFile,
} from "./regular-file.ts";

/** Never through a symbolic link that somebody put there; Windows has no such flag. */
const resumeFlags = fs.constants.O_RDWR | (fs.constants.O_NOFOLLOW ?? 0);

export class PartFile {
  /** The name that the file is to have when it is whole. */
  readonly path: string;
  readonly #part: string;
  #fd: number | undefined;
  #writer: FileWriter | undefined;
  #next: { document: DocumentIdentity; offset: number } | undefined;

  /**
   * The partial file of `path`, with its directory; undefined when a running process has it.
   * @throws FtpullError "file"
   */
  static claim(path: string): PartFile | undefined {
    const part = partPath(path);
    writing(dirname(path), () => makeDirectory(dirname(path)));
    if (foundItself(part)?.isDirectory())
      throw new FtpullError("file", `cannot write "${part}": it is a directory`);
    return takeLock(part) ? new PartFile(path) : undefined;
  }

  private constructor(path: string) {
    this.path = path;
    this.#part = partPath(path);
    // Killed between link and unlink in place.ts, or between the rename and the note's removal.
    if (isSameFile(this.#part, path) || !isTaken(this.#part)) this.#remove();
  }

  /** Whether this run has written it. */
  get isOpen(): boolean {
    return this.#fd !== undefined;
  }

  /** Octets in the file. */
  get octets(): number {
    return this.#writer?.position ?? regularSize(this.#part) ?? 0;
  }

  /** Where the next octet goes. */
  get position(): number {
    return this.#next?.offset ?? this.octets;
  }

  /** What is in the file; undefined when there is none, or nothing in it. */
  partial(): PartialDocument | undefined {
    const { octets } = this;
    if (octets === 0) return undefined;
    const { document, missing } = readState(this.#part) ?? {};
    if (document && missing) return scatteredPartial(document, missing, octets);
    return { octets, document, inPlace: false };
  }

  /** The `length` octets before `offset`, or as many as there are. */
  tail(offset: number, length: number): Buffer {
    return readTail(this.#part, offset, length);
  }

  /** The `length` octets from `start` on. */
  stored(start: number, length: number): AsyncIterable<Buffer> {
    return readRange(this.#part, start, length);
  }

  /** The next octet goes to `offset`, and belongs to `document`. Nothing is touched before it comes. */
  begin(document: DocumentIdentity, offset: number): void {
    this.#next = { document, offset };
  }

  /** Like FileWriter's; creates or opens the file when it is the first since `begin`. */
  write(chunk: Buffer): void | Promise<void> {
    return this.#ready().write(chunk);
  }

  /** Octets of `document` come in any order from now on: those that are `missing`. */
  scatter(document: DocumentIdentity, missing: readonly Gap[]): Scattered {
    this.#next = undefined;
    writing(this.#part, () => {
      if (octetsIn(missing) === document.size) this.#create(document, missing);
      else this.#reopen(document, missing);
    });
    this.#writer = undefined;
    return new ScatteredFile(this.#fd!, this.#part, document);
  }

  /** Forgets whose octets these are: no later run resumes them. */
  forget(): void {
    removeState(this.#part);
  }

  /**
   * Makes it `path`: over what is there with `replace`, else as the next `path.N` that is
   * free. Returns the path that it got. It isn't forced to the disk: a kill can't harm it,
   * and after a power failure a download is made again.
   */
  async place(replace: boolean, modified: Date | undefined): Promise<string> {
    await this.#ready().idle();
    if (modified !== undefined) setTime(this.#fd!, modified);
    this.#closeDescriptor();
    const place = replace ? placeOver : placeBeside;
    const path = writing(this.path, () => place(this.#part, this.path));
    this.forget();
    releaseLock(this.#part);
    return path;
  }

  /** How many octets a later run can build on: none where it couldn't tell whose they are. */
  get resumable(): number {
    const { octets = 0, document } = this.partial() ?? {};
    return document?.size === undefined ? 0 : octets;
  }

  /** Keeps what is there, on the disk, lets others have it, and tells how much can be resumed. */
  async close(): Promise<number> {
    const written = this.isOpen;
    await this.#writer?.idle();
    const resumable = this.resumable;
    try {
      this.#closeDescriptor();
      if (written) await Promise.all([syncFile(this.#part), syncFile(`${this.#part}.json`)]);
      return resumable;
    } catch (error) {
      throw fileError("write", this.#part, error);
    } finally {
      releaseLock(this.#part);
    }
  }

  /** Removes it, and lets others have the name. */
  async discard(): Promise<void> {
    await this.#writer?.idle();
    this.#closeDescriptor();
    this.#remove();
    releaseLock(this.#part);
  }

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
        fs.ftruncateSync(this.#fd!, offset);
      }
      return new FileWriter(this.#fd!, `"${this.#part}"`, offset);
    });
  }

  /** A new file, never the old one emptied: that could be a link to something else. */
  #create(document: DocumentIdentity, missing?: readonly Gap[]): void {
    this.#closeDescriptor();
    this.#remove();
    writeState(this.#part, document, missing);
    this.#fd = fs.openSync(this.#part, "wx");
  }

  #reopen(document: DocumentIdentity, missing?: readonly Gap[]): void {
    const isInPlace = this.#fd === undefined && regularSize(this.#part) === undefined;
    if (isInPlace || missing) writeState(this.#part, document, missing);
    if (isInPlace) fs.renameSync(this.path, this.#part); // the octets of a program that writes in place
    this.#fd ??= fs.openSync(this.#part, resumeFlags);
  }

  #closeDescriptor(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    this.#writer = undefined;
    if (fd !== undefined) writing(this.#part, () => fs.closeSync(fd));
  }

  #remove(): void {
    removeState(this.#part);
    writing(this.#part, () => fs.rmSync(this.#part, { force: true }));
  }
}

function partPath(path: string): string {
  return `${path}.part`;
}

/** mkdir's own `recursive` never ends where a parent takes no directories: /proc. */
function makeDirectory(path: string): void {
  if (fs.existsSync(path)) return;
  makeDirectory(dirname(path));
  try {
    fs.mkdirSync(path);
  } catch (error) {
    if (!fs.existsSync(path)) throw error; // else another run was faster
  }
}
