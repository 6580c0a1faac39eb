/**
 * A file with a name of its own. A small one waits in memory, a larger one in its partial file; the name is given in
 * one step when it is whole. Here its name is chosen, and decided whether it may be given.
 */
import { renameSync, rmSync, type Stats } from "node:fs";
import type { Destination, PartialDocument, Version } from "../destination.ts";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { partSuffix } from "../names.ts";
import { OwnFiles } from "../own-files.ts";
import { moveIfFree } from "../private-file.ts";
import { foundItself, isTaken, readTail } from "../regular-file.ts";
import {
  checkReplaceable,
  type Collision,
  freeName,
  type LocalName,
  targetOf,
} from "./local-name.ts";
import { MemoryFile } from "./memory-file.ts";
import { hasChanged, PartFile } from "./part-file.ts";
import { NameTaken } from "./part-state.ts";
import type { Store } from "./store.ts";

const mostInMemory = 64 * 1024;

/** Number of bytes at a file's end that show whether another file goes on behind it. */
const comparedOctets = 4096;

export interface Naming {
  readonly collision: Collision;
  /** True in trees: a symbolic link at the name is replaced, in place of its target. */
  readonly replacesLinks?: boolean;
  readonly own?: OwnFiles;
}

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  readonly #path: string;
  readonly #naming: Required<Naming>;
  #version: Version = { url: "" };
  /** The name, as it was before the first transfer. */
  #name: LocalName | undefined;
  #store: Store | undefined;
  /** What an earlier run or another program left; undefined once bytes came. */
  #left: PartialDocument | undefined;

  constructor(path: string, naming: Naming) {
    this.label = path;
    this.#path = path;
    const { collision, replacesLinks = false, own = new OwnFiles() } = naming;
    this.#naming = { collision, replacesLinks, own };
  }

  get octets(): number {
    return this.#store?.octets ?? 0;
  }

  partial(version: Version): PartialDocument | undefined {
    const { octets } = this;
    if (this.#store !== undefined)
      return octets > 0 ? { octets, document: this.#version } : undefined;
    // A name that was free at an earlier try may be taken now.
    const name = (this.#name = this.#choose(version.url));
    const continues = this.#naming.collision === "continue";
    const isWanted = continues || (this.#naming.collision !== "replace" && !isSmall(version));
    if (!isWanted) return undefined;
    const part = PartFile.left(name.path);
    this.#left = continues ? (leftByOther(name, part) ?? part) : part;
    return this.#left;
  }

  tail(offset: number, length: number): Buffer {
    if (this.#store !== undefined) return this.#store.tail(offset, length);
    const path = this.#left?.inPlace?.path ?? this.label + partSuffix;
    if (!isTaken(path)) throw hasChanged(path); // Another run may have published it.
    return readTail(path, offset, length, "refuse");
  }

  open(version: Version, offset: number, isInOrder = true): void {
    this.#version = version;
    this.#name ??= this.#choose(version.url);
    this.#checkMayReplace(this.#name);
    if (offset === 0) this.#drop();
    this.#store ??= offset === 0 ? this.#begin() : this.#resume();
    this.#store.goOn(offset, isInOrder);
    this.#left = undefined;
  }

  writeAt(position: number, chunk: Buffer): void {
    const isTooMuch = position + chunk.length > mostInMemory;
    if (isTooMuch && this.#store instanceof MemoryFile)
      this.#store = this.#leaveMemory(this.#store);
    this.#store!.write(position, chunk);
  }

  cut(octets: number): void {
    this.#store?.goOn(octets, true);
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the file comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    withWriteErrors(this.label, () =>
      this.#store!.publish(modified, (own, file) => this.#giveName(own, file)),
    );
    this.#release();
  }

  async keep(): Promise<number> {
    if (this.#naming.collision === "replace") this.#drop(); // No later run resumes it.
    const isLeft = this.#left?.document !== undefined;
    const octets = this.#store?.keep() ?? (isLeft ? PartFile.left(this.label)?.octets : 0);
    this.#release();
    return octets ?? 0;
  }

  async discard(): Promise<void> {
    this.#drop();
    this.#release();
  }

  #choose(url: string): LocalName {
    const isNumbered = this.#naming.collision === "number";
    const name = isNumbered
      ? { path: freeName(this.#path, url), present: undefined }
      : targetOf(this.#path, this.#naming.replacesLinks);
    this.label = name.path;
    return name;
  }

  #checkMayReplace(name: LocalName): void {
    const { path, present } = name;
    if (present === undefined) return;
    checkReplaceable(name, this.#naming.replacesLinks);
    if (this.#naming.collision === "keep") throw cannotWrite(path, "it is there already");
    this.#naming.own.check(path, this.#version.url, present);
  }

  #begin(): Store {
    return isSmall(this.#version) ? new MemoryFile(this.label) : this.#beginPart();
  }

  #beginPart(): PartFile {
    for (;;) {
      try {
        const part = PartFile.open(this.label, this.#version, false);
        if (this.#naming.collision !== "number" || !isTaken(this.label)) return part;
        part.remove();
      } catch (error) {
        if (!(error instanceof NameTaken) || this.#naming.collision !== "number") throw error;
      }
      // Since it was chosen, another file has got the name.
      this.#name = this.#choose(this.#version.url);
    }
  }

  #resume(): PartFile {
    const { inPlace } = this.#left ?? {};
    if (inPlace === undefined) return PartFile.open(this.label, this.#version, true);
    const part = this.#beginPart();
    part.copyFrom(inPlace.path);
    return part;
  }

  #leaveMemory(memory: MemoryFile): PartFile {
    const part = this.#beginPart();
    part.write(0, memory.tail(memory.octets, memory.octets));
    part.goOn(memory.octets, true);
    return part;
  }

  #giveName(own: string, file: Stats): void {
    const { collision, own: ownFiles } = this.#naming;
    const { url } = this.#version;
    if (this.#name!.present !== undefined || collision === "replace") this.#replace(own);
    else
      while (!moveIfFree(own, this.label)) {
        // A partial file keeps the name that its state holds.
        const isHeld = this.#store instanceof PartFile;
        if (isHeld || collision !== "number") return this.#leaveOther(own);
        this.#choose(url);
      }
    ownFiles.note(this.label, url, file);
  }

  #replace(own: string): void {
    const path = this.label;
    const present = foundItself(path);
    this.#checkMayReplace({ path, present });
    if (this.#naming.collision === "continue" && !isLike(this.#name!.present, present))
      throw cannotWrite(path, "another program has changed it", replaceHint);
    renameSync(own, path);
  }

  /** Leaves what has got the name meanwhile: another run's file of the same size and time will do. */
  #leaveOther(own: string): void {
    const present = foundItself(this.label);
    if (present !== undefined) this.#naming.own.check(this.label, this.#version.url, present);
    if (!isLike(present, foundItself(own)))
      throw cannotWrite(this.label, "another program has made it meanwhile", replaceHint);
    rmSync(own);
  }

  #drop(): void {
    this.#store?.remove();
    this.#store = undefined;
  }

  #release(): void {
    this.#name = undefined;
    this.#store = undefined;
    this.#left = undefined;
  }
}

const replaceHint = "replace it with -f";

/** Without a size, a file may be small: its first bytes wait in memory. */
function isSmall({ size = 0 }: Version): boolean {
  return size <= mostInMemory;
}

/** The file that another program left, unless a partial file has gone on behind all of it. */
function leftByOther(name: LocalName, part: PartialDocument | undefined) {
  const { path, present } = name;
  if (!present?.isFile() || present.size === 0) return undefined;
  const { size, mtime } = present;
  const last = readTail(path, size, comparedOctets, "refuse");
  const isContinued = part !== undefined && part.octets > size;
  if (isContinued && readTail(path + partSuffix, size, comparedOctets, "refuse").equals(last))
    return undefined;
  return { octets: size, document: undefined, inPlace: { path, size, mtime } };
}

function isLike(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.size === other?.size && one?.mtime.getTime() === other?.mtime.getTime();
}
