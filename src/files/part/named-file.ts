/**
 * A document in a file of its own. The first 64 KiB wait in memory, so a small document is written in one step, to a
 * private name; a larger one goes to its partial file. Both get their name by a rename, when they are whole.
 */
import {
  chmodSync,
  closeSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Destination, PartialDocument, Version } from "../destination.ts";
import { cannotWrite, ifPossible, withWriteErrors } from "../file-error.ts";
import { makeFolder } from "../folder.ts";
import { existingFile, found, readRange, readTail } from "../regular-file.ts";
import { temporaryPath } from "../temporary.ts";
import { claimName, NameTaken } from "../twins.ts";
import { PartFile, removeAll, writerOf } from "./part-file.ts";
import { alreadyThere, type Collision, freeName, giveName, targetOf } from "./publish.ts";

const mostInMemory = 64 * 1024;

/** Names that this run is writing. */
const namesInUse = new Set<string>();

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  readonly #path: string;
  readonly #collision: Collision;
  /** The name of the document's file, once octets came. */
  #name: string | undefined;
  #version: Version = { url: "" };
  #memory: Buffer | undefined;
  #part: PartFile | undefined;
  /** The file with the final name, which "continue" goes on behind. */
  #plain: string | undefined;

  constructor(path: string, collision: Collision) {
    this.label = path;
    this.#path = path;
    this.#collision = collision;
  }

  get octets(): number {
    return this.#memory?.length ?? this.#part?.end ?? 0;
  }

  partial(size = Infinity): PartialDocument | undefined {
    const { octets } = this;
    if (this.#name !== undefined)
      return octets > 0 ? { octets, document: this.#version } : undefined;
    if (size <= mostInMemory && this.#collision !== "continue") return undefined;
    if (found(this.#path)?.isDirectory()) return undefined; // The server may have one, too: RETR will tell.
    const name =
      this.#collision === "number" ? this.#free() : targetOf(this.#path, this.#collision);
    this.label = name;
    // Another URL of this run may be writing it.
    if (!namesInUse.has(name)) this.#part ??= PartFile.left(name);
    return this.#collision === "continue"
      ? (this.#partialInPlace(name) ?? this.#left())
      : this.#left();
  }

  tail(offset: number, length: number): Buffer {
    if (this.#memory !== undefined)
      return this.#memory.subarray(Math.max(0, offset - length), offset);
    return readTail(this.#dataPath, offset, length);
  }

  async *stored(start: number, end: number): AsyncIterable<Buffer> {
    if (this.#memory === undefined) yield* readRange(this.#dataPath, start, end - start, "refuse");
    else yield this.#memory.subarray(start, end);
  }

  open(version: Version, offset: number, isInOrder = true): void {
    this.#version = version;
    this.#name ??= this.#reserve();
    if (offset === 0) this.#drop();
    if (this.#plain !== undefined) this.#part = PartFile.copyOf(this.#plain, version);
    this.#plain = undefined;
    if (this.#part === undefined)
      this.#memory = (this.#memory ?? Buffer.alloc(0)).subarray(0, offset);
    if (!isInOrder) this.#leaveMemory();
    this.#part?.goOn(version, offset, isInOrder);
  }

  writeAt(position: number, chunk: Buffer): void {
    const isSmall = position + chunk.length <= mostInMemory;
    if (this.#memory !== undefined && isSmall) {
      this.#memory = Buffer.concat([this.#memory, chunk]);
      return;
    }
    this.#leaveMemory().write(chunk, position);
  }

  cut(octets: number): void {
    this.#part?.goOn(this.#version, octets);
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the document comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    const name = this.#name!;
    const mode = this.#replacedMode(name);
    const whole = this.#part?.detach(modified) ?? this.#writeMemory(name, mode, modified);
    try {
      withWriteErrors(name, () => {
        if (mode !== undefined) chmodSync(whole, mode);
        this.#giveName(whole, name);
      });
    } catch (error) {
      if (this.#part === undefined) rmSync(whole, { force: true });
      else ifPossible(() => renameSync(whole, this.#part!.path)); // Another run may go on with it.
      throw error;
    }
    if (this.#part !== undefined) removeAll(name);
    this.#release();
  }

  async keep(): Promise<number> {
    const part = this.#part;
    const canBeResumed = part?.canBeResumed === true;
    if (canBeResumed) ifPossible(() => part.close());
    else part?.remove();
    this.#release();
    return canBeResumed ? part.end : 0;
  }

  async discard(): Promise<void> {
    this.#drop();
    this.#release();
  }

  /** The file in the document's place, unless a partial file has gone on behind all of it. */
  #partialInPlace(name: string): PartialDocument | undefined {
    const file = existingFile(name);
    if (file === undefined || file.size === 0) return undefined;
    const last = readTail(name, file.size, comparedOctets);
    const part = this.#part;
    const isContinued = part !== undefined && part.end > file.size;
    if (isContinued && readTail(part.path, file.size, comparedOctets).equals(last))
      return undefined;
    part?.close();
    this.#part = undefined;
    this.#plain = name;
    const { size, mtime } = file;
    return { octets: size, document: undefined, inPlace: { path: name, size, mtime } };
  }

  #left(): PartialDocument | undefined {
    if (this.#part === undefined || this.#part.end === 0) return undefined;
    return { octets: this.#part.end, document: this.#part.version };
  }

  get #dataPath(): string {
    return this.#plain ?? this.#part!.path;
  }

  #free(): string {
    return freeName(this.#path, (name) => !namesInUse.has(name) && writerOf(name) === undefined);
  }

  #reserve(): string {
    const isNumbered = this.#collision === "number";
    const name = isNumbered ? this.#free() : targetOf(this.#path, this.#collision);
    if (namesInUse.has(name)) throw cannotWrite(name, "this run is writing it for another URL");
    namesInUse.add(name);
    this.label = name;
    makeFolder(dirname(name));
    return name;
  }

  #leaveMemory(): PartFile {
    this.#part ??= this.#beginPart(this.#name!);
    if (this.#memory !== undefined) this.#part.write(this.#memory, 0);
    this.#memory = undefined;
    return this.#part;
  }

  #beginPart(name: string): PartFile {
    try {
      return PartFile.begin(name, this.#version, this.#replacedMode(name));
    } catch (error) {
      // Another run has taken the number since it was chosen.
      if (!(error instanceof NameTaken) || this.#collision !== "number") throw error;
      namesInUse.delete(name);
      this.#name = this.#reserve();
      return this.#beginPart(this.#name);
    }
  }

  /** Some file systems report a full disk when the file is closed: it gets its name behind that. */
  #writeMemory(name: string, mode: number | undefined, modified: Date | undefined): string {
    const path = temporaryPath(name);
    withWriteErrors(name, () => {
      const fd = openSync(path, "wx", mode);
      try {
        writeFileSync(fd, this.#memory!);
        if (modified !== undefined) ifPossible(() => futimesSync(fd, modified, modified));
      } finally {
        closeSync(fd);
      }
    });
    return path;
  }

  #giveName(whole: string, name: string): void {
    claimName(name);
    if (giveName(whole, name, this.#collision)) return;
    if (this.#collision !== "number") throw alreadyThere(name);
    namesInUse.delete(name);
    this.label = this.#free();
    this.#giveName(whole, this.label);
  }

  #replacedMode(name: string): number | undefined {
    if (this.#collision === "number" || this.#collision === "fail") return undefined;
    const replaced = existingFile(name);
    return replaced && replaced.mode & 0o777;
  }

  #drop(): void {
    this.#part?.remove();
    this.#part = undefined;
    this.#memory = undefined;
    this.#plain = undefined;
  }

  #release(): void {
    if (this.#name !== undefined) namesInUse.delete(this.#name);
    this.#name = undefined;
    this.#part = undefined;
    this.#memory = undefined;
    this.#plain = undefined;
  }
}

/** Octets of a file's end that show whether another file goes on behind it. */
export const comparedOctets = 4096;
