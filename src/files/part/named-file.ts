/**
 * A file with a name of its own. A small one waits in memory, a larger one in its partial file; the name is given in
 * one step when it is whole. Here its name is chosen, and decided whether it may be given.
 */
import { renameSync, type Stats } from "node:fs";
import { type FtpullError, hasReason } from "../../errors.ts";
import type { Destination, Stored, Version } from "../destination.ts";
import type { Existing } from "../existing.ts";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { partSuffix } from "../names.ts";
import { OwnFiles } from "../own-files.ts";
import { moveIfFree } from "../private-file.ts";
import { foundItself, isTaken, readTail } from "../regular-file.ts";
import { freeName, type LocalName, targetOf } from "./local-name.ts";
import { MemoryFile } from "./memory-file.ts";
import { hasChanged, PartFile } from "./part-file.ts";

const mostInMemory = 64 * 1024;

/** Number of bytes at a file's end that show whether another file goes on behind it. */
const comparedOctets = 4096;

export class NamedFile implements Destination {
  readonly rewindable = true;
  readonly #path: string;
  readonly #existing: Existing;
  readonly #own: OwnFiles;
  #name: LocalName;
  /** What an earlier run or another program has left under the name; undefined once this run has begun. */
  #left: Stored | undefined;
  /** The bytes of this run, from its first data until they have the name, or are given up. */
  #store: MemoryFile | PartFile | undefined;

  constructor(path: string, existing: Existing, own = new OwnFiles()) {
    this.#path = path;
    this.#existing = existing;
    this.#own = own;
    this.#name = { path, present: undefined };
  }

  get label(): string {
    return this.#name.path;
  }

  get octets(): number {
    return this.#store?.octets ?? 0;
  }

  /** Chooses anew until bytes come: a name that was free at an earlier try may be taken now. */
  choose(version: Version): Stored | undefined {
    if (this.#store === undefined) {
      this.#chooseName(version.url);
      this.#left = leftAt(this.#name, version, this.#existing);
      return this.#left;
    }
    const { octets, version: stored } = this.#store;
    return octets > 0 ? { octets, version: stored } : undefined;
  }

  tail(offset: number, length: number): Buffer {
    if (this.#store !== undefined) return this.#store.tail(offset, length);
    const path = this.#left?.other?.path ?? this.label + partSuffix;
    if (!isTaken(path)) throw hasChanged(path); // Another run may have published it.
    return readTail(path, offset, length);
  }

  open(version: Version, offset: number, isInOrder = true): void | Promise<void> {
    this.#checkMayReplace(version.url);
    const left = offset > 0 ? this.#left : undefined;
    if (offset === 0) this.#drop();
    this.#left = undefined;
    const store = (this.#store ??= this.#openStore(version, left));
    if (left?.other === undefined) return store.cut(offset, isInOrder);
    const copied = (store as PartFile).copyFrom(left.other.path, offset);
    return copied.then(() => store.cut(offset, isInOrder));
  }

  writeAt(position: number, chunk: Buffer): void {
    const isTooMuch = position + chunk.length > mostInMemory;
    if (isTooMuch && this.#store instanceof MemoryFile) this.#leaveMemory(this.#store);
    this.#store!.write(position, chunk);
  }

  cut(octets: number): void {
    this.#store!.cut(octets, true);
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the file comes again. */
  publish(modified: Date | undefined): void {
    const store = this.#store!;
    const giveName = (own: string, file: Stats): void => this.#giveName(store, own, file);
    withWriteErrors(this.label, () => store.whole(modified, giveName));
    this.#store = undefined;
  }

  keep(): number {
    const { octets = 0, version } = this.#left ?? {};
    if (this.#store === undefined) return version ? octets : 0;
    const store = this.#store;
    this.#store = undefined;
    if (this.#existing.otherwise !== "force") return store.keep();
    store.remove(); // No later run resumes it.
    return 0;
  }

  discard(): void {
    this.#left = undefined;
    this.#drop();
  }

  #drop(): void {
    this.#store?.remove();
    this.#store = undefined;
  }

  #chooseName(url: string): void {
    this.#name = this.#isNumbered
      ? { path: freeName(this.#path, url), present: undefined }
      : targetOf(this.#path, this.#existing);
  }

  get #isNumbered(): boolean {
    return this.#existing.otherwise === "number";
  }

  /** Stores of bytes: memory, the partial file that was left, or a new one, as for another program's file. */
  #openStore(version: Version, left: Stored | undefined): MemoryFile | PartFile {
    if (left?.version) return PartFile.open(this.label, version, true);
    const isInMemory = left === undefined && isSmall(version);
    return isInMemory ? new MemoryFile(this.label, version) : this.#newPart(version);
  }

  /** Makes a partial file, where names are numbered under the first one that no other file or run has. */
  #newPart(version: Version): PartFile {
    for (; ; this.#chooseName(version.url)) {
      try {
        const store = PartFile.open(this.label, version, false);
        if (!this.#isNumbered || !isTaken(this.label)) return store;
        store.remove();
      } catch (error) {
        if (!hasReason(error, "name taken") || !this.#isNumbered) throw error;
      }
    }
  }

  #leaveMemory(memory: MemoryFile): void {
    this.#store = this.#newPart(memory.version);
    this.#store.write(0, memory.tail(memory.octets, memory.octets));
    this.#store.cut(memory.octets, true);
  }

  #checkMayReplace(url: string): void {
    const { path, present } = this.#name;
    const { stays, replacesLinks } = this.#existing;
    if (present === undefined) return;
    if (present.isDirectory()) throw cannotWrite(path, "it is a directory");
    const isReplaceable = present.isFile() || (replacesLinks && present.isSymbolicLink());
    if (!isReplaceable) throw cannotWrite(path, "it is not a regular file");
    if (stays === "always") throw cannotWrite(path, "it is there already");
    this.#own.check(path, url, present);
  }

  #giveName(store: MemoryFile | PartFile, own: string, file: Stats): void {
    const { url } = store.version;
    const isSmallFile = store instanceof MemoryFile;
    if (this.#name.present !== undefined || this.#existing.otherwise === "force") {
      this.#name = { path: this.label, present: foundItself(this.label) };
      this.#checkMayReplace(url);
      renameSync(own, this.label);
    } else
      while (!moveIfFree(own, this.label)) {
        // A partial file keeps the name that its state holds.
        if (!isSmallFile || !this.#isNumbered) throw this.#madeMeanwhile(url);
        this.#chooseName(url);
      }
    this.#own.note(this.label, url, file);
    if (isSmallFile) PartFile.clear(this.label, url);
  }

  #madeMeanwhile(url: string): FtpullError {
    const present = foundItself(this.label);
    if (present !== undefined) this.#own.check(this.label, url, present);
    const words = "another program has made it meanwhile";
    return cannotWrite(this.label, words, "replace it with -f");
  }
}

/** Without a size, a file may be small: its first bytes wait in memory. */
function isSmall({ size = 0 }: Version): boolean {
  return size <= mostInMemory;
}

/** What an earlier run has left of the file, or with -c another program. */
function leftAt(name: LocalName, version: Version, { otherwise }: Existing) {
  const continues = otherwise === "continue" || otherwise === "continue or replace";
  if (otherwise === "force" || (isSmall(version) && !continues)) return undefined;
  const part = PartFile.left(name.path);
  return continues ? (leftByOther(name, part) ?? part) : part;
}

/** The file that another program left, unless a partial file has gone on behind all of it. */
function leftByOther({ path, present }: LocalName, part: Stored | undefined) {
  if (!present?.isFile() || present.size === 0) return undefined;
  const { size, mtime } = present;
  const last = (of: string): Buffer => readTail(of, size, comparedOctets);
  const isContinued =
    part !== undefined && part.octets > size && last(path + partSuffix).equals(last(path));
  return isContinued ? undefined : { octets: size, other: { path, modified: mtime } };
}
