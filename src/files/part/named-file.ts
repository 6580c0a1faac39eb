/**
 * A file with a name of its own (`LocalName`). A small one waits in memory, a larger one in its partial file; the name is
 * given in one step when it is whole.
 */
import type { Stats } from "node:fs";
import { hasReason } from "../../errors.ts";
import type { Destination, Stored, Version } from "../destination.ts";
import type { Existing } from "../existing.ts";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { partSuffix } from "../names.ts";
import { OwnFiles } from "../own-files.ts";
import { hasBytes, isTaken, readTail } from "../regular-file.ts";
import { LocalName } from "./local-name.ts";
import { MemoryFile } from "./memory-file.ts";
import { hasChanged, PartFile } from "./part-file.ts";

const mostInMemory = 64 * 1024;

/** Number of bytes at a file's end that show whether another file goes on behind it. */
const comparedOctets = 4096;

export class NamedFile implements Destination {
  readonly rewindable = true;
  readonly #name: LocalName;
  /** What an earlier run or another program has left under the name; undefined once this run has begun. */
  #left: Stored | undefined;
  /** The bytes of this run, from its first data until they have the name, or are given up. */
  #store: MemoryFile | PartFile | undefined;

  constructor(path: string, existing: Existing, own = new OwnFiles()) {
    this.#name = new LocalName(path, existing, own);
  }

  get label(): string {
    return this.#name.target.path;
  }

  get octets(): number {
    return this.#store?.octets ?? 0;
  }

  get mustStay(): boolean {
    return this.#name.mustStay;
  }

  present(url: string): Stats | undefined {
    return this.#name.presentFor(url);
  }

  /** Chooses anew until bytes come: a name that was free at an earlier try may be taken now. */
  choose(version: Version): Stored | undefined {
    if (this.#store === undefined) {
      this.#name.choose(version.url);
      this.#left = this.#unlessTaken(version.url, () => leftAt(this.#name, version));
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
    this.#name.checkMayReplace(version.url);
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
    const { url } = store.version;
    const isSmallFile = store instanceof MemoryFile;
    // A partial file keeps the name that its state holds.
    const giveName = (from: string, file: Stats): void =>
      this.#name.give(from, file, url, !isSmallFile);
    withWriteErrors(this.label, () => store.whole(modified, giveName));
    if (isSmallFile) PartFile.clear(this.label, url);
    this.#store = undefined;
  }

  keep(): number {
    const { octets = 0, version } = this.#left ?? {};
    if (this.#store === undefined) return version ? octets : 0;
    const store = this.#store;
    this.#store = undefined;
    if (this.#name.existing.otherwise !== "force") return store.keep();
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

  /** Stores of bytes: memory, the partial file that was left, or a new one, as for another program's file. */
  #openStore(version: Version, left: Stored | undefined): MemoryFile | PartFile {
    if (left?.version) return PartFile.open(this.label, version, true);
    const isInMemory = left === undefined && isSmall(version);
    return isInMemory ? new MemoryFile(this.label, version) : this.#newPart(version);
  }

  /** Makes a partial file, where names are numbered under the first one that no other file or run has. */
  #newPart(version: Version): PartFile {
    return this.#unlessTaken(version.url, () => {
      const store = PartFile.open(this.label, version, false);
      if (!this.#name.isNumbered || !isTaken(this.label)) return store;
      store.remove();
      throw cannotWrite(this.label, "it is there already").with({ reason: "name taken" });
    });
  }

  /** Where names are numbered, does the work under the next name if another run has taken the one that was free. */
  #unlessTaken<T>(url: string, work: () => T): T {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!hasReason(error, "name taken") || !this.#name.isNumbered) throw error;
        this.#name.choose(url);
      }
    }
  }

  #leaveMemory(memory: MemoryFile): void {
    this.#store = this.#newPart(memory.version);
    this.#store.write(0, memory.tail(memory.octets, memory.octets));
    this.#store.cut(memory.octets, true);
  }
}

/** Without a size, a file may be small: its first bytes wait in memory. */
function isSmall({ size = 0 }: Version): boolean {
  return size <= mostInMemory;
}

/** What an earlier run has left of the file, or with -c another program. */
function leftAt(name: LocalName, version: Version) {
  const { otherwise } = name.existing;
  const continues = otherwise === "continue" || otherwise === "continue or replace";
  if (otherwise === "force" || (isSmall(version) && !continues)) return undefined;
  const part = PartFile.left(name.target.path);
  return continues ? (leftByOther(name.target, part) ?? part) : part;
}

/** The file that another program left, unless a partial file has gone on behind all of it. */
function leftByOther({ path, present }: LocalName["target"], part: Stored | undefined) {
  if (present === undefined || !hasBytes(present)) return undefined;
  const { size, mtime } = present;
  const last = (of: string): Buffer => readTail(of, size, comparedOctets);
  const isContinued =
    part !== undefined && part.octets > size && last(path + partSuffix).equals(last(path));
  return isContinued ? undefined : { octets: size, other: { path, modified: mtime } };
}
