/**
 * A file with a name of its own. A small one waits in memory, a larger one in its partial file; the name is given in
 * one step when it is whole. Here its name is chosen, and decided whether it may be given.
 */
import { renameSync, type Stats } from "node:fs";
import type { FtpullError } from "../../errors.ts";
import type { Destination, PartialDocument, Version } from "../destination.ts";
import { cannotWrite, withWriteErrors } from "../file-error.ts";
import { partSuffix } from "../names.ts";
import { OwnFiles } from "../own-files.ts";
import { moveIfFree } from "../private-file.ts";
import { foundItself, isTaken, readTail } from "../regular-file.ts";
import {
  checkReplaceable,
  type Existing,
  freeName,
  type LocalName,
  targetOf,
} from "./local-name.ts";
import { MemoryFile } from "./memory-file.ts";
import { hasChanged, PartFile } from "./part-file.ts";
import { NameTaken } from "./part-state.ts";

const mostInMemory = 64 * 1024;

/** Number of bytes at a file's end that show whether another file goes on behind it. */
const comparedOctets = 4096;

export interface Naming {
  readonly existing: Existing;
  /** True in trees: a symbolic link at the name is replaced, in place of its target. */
  readonly replacesLinks?: boolean;
  readonly own?: OwnFiles;
}

/** Nothing; a name, with what an earlier run or another program left there; or bytes of this run under the name. */
type State =
  | { readonly is: "free" }
  | { readonly is: "named"; readonly name: LocalName; readonly left: PartialDocument | undefined }
  | Open;

interface Open {
  readonly is: "open";
  readonly name: LocalName;
  readonly version: Version;
  readonly store: MemoryFile | PartFile;
}

export class NamedFile implements Destination {
  readonly rewindable = true;
  label: string;
  readonly #path: string;
  readonly #naming: Required<Naming>;
  #state: State = { is: "free" };

  constructor(path: string, { existing, replacesLinks = false, own = new OwnFiles() }: Naming) {
    this.label = path;
    this.#path = path;
    this.#naming = { existing, replacesLinks, own };
  }

  get octets(): number {
    return this.#state.is === "open" ? this.#state.store.octets : 0;
  }

  /** Chooses anew until bytes come: a name that was free at an earlier try may be taken now. */
  choose(version: Version): PartialDocument | undefined {
    if (this.#state.is === "open") {
      const { store, version: document } = this.#state;
      return store.octets > 0 ? { octets: store.octets, document } : undefined;
    }
    const name = this.#nextName(version.url);
    const left = leftAt(name, version, this.#naming.existing);
    this.#state = { is: "named", name, left };
    return left;
  }

  tail(offset: number, length: number): Buffer {
    if (this.#state.is === "open") return this.#state.store.tail(offset, length);
    const left = this.#state.is === "named" ? this.#state.left : undefined;
    const path = left?.other?.path ?? this.label + partSuffix;
    if (!isTaken(path)) throw hasChanged(path); // Another run may have published it.
    return readTail(path, offset, length, "refuse");
  }

  open(version: Version, offset: number, isInOrder = true): void | Promise<void> {
    const state = this.#state;
    if (state.is === "free") throw new Error("no name was chosen");
    this.#checkMayReplace(state.name, version.url);
    if (state.is === "open" && offset > 0) {
      state.store.cut(offset, isInOrder);
      this.#state = { ...state, version };
      return;
    }
    if (state.is === "open") state.store.remove();
    const left = state.is === "named" && offset > 0 ? state.left : undefined;
    this.#state = { is: "named", name: state.name, left: undefined };
    const opened = this.#openStore(state.name, version, left);
    this.#state = { is: "open", version, ...opened };
    const goOn = (): void => opened.store.cut(offset, isInOrder);
    if (left?.other === undefined) return goOn();
    return (opened.store as PartFile).copyFrom(left.other.path, offset).then(goOn);
  }

  writeAt(position: number, chunk: Buffer): void {
    const isTooMuch = position + chunk.length > mostInMemory;
    if (isTooMuch && this.#opened.store instanceof MemoryFile) this.#leaveMemory(this.#opened);
    this.#opened.store.write(position, chunk);
  }

  cut(octets: number): void {
    this.#opened.store.cut(octets, true);
  }

  /** Publishes without fsync: a kill does no harm, and after a power failure the file comes again. */
  async publish(modified: Date | undefined): Promise<void> {
    const opened = this.#opened;
    const giveName = (own: string, file: Stats): void => this.#giveName(opened, own, file);
    withWriteErrors(this.label, () => opened.store.whole(modified, giveName));
    this.#state = { is: "free" };
  }

  async keep(): Promise<number> {
    const state = this.#state;
    this.#state = { is: "free" };
    if (state.is === "named") return state.left?.document ? state.left.octets : 0;
    if (state.is === "free") return 0;
    if (this.#naming.existing !== "replace") return state.store.keep();
    state.store.remove(); // No later run resumes it.
    return 0;
  }

  async discard(): Promise<void> {
    if (this.#state.is === "open") this.#state.store.remove();
    this.#state = { is: "free" };
  }

  get #opened(): Open {
    if (this.#state.is !== "open") throw new Error("nothing is open");
    return this.#state;
  }

  #nextName(url: string): LocalName {
    const { existing, replacesLinks } = this.#naming;
    const isNumbered = existing === "number";
    const name = isNumbered
      ? { path: freeName(this.#path, url), present: undefined }
      : targetOf(this.#path, replacesLinks);
    this.label = name.path;
    return name;
  }

  /** Stores of bytes: memory, the partial file that was left, or a new one, as for another program's file. */
  #openStore(name: LocalName, version: Version, left: PartialDocument | undefined) {
    if (left?.document) return { name, store: PartFile.open(name.path, version, true) };
    const isInMemory = left === undefined && isSmall(version);
    return isInMemory ? { name, store: new MemoryFile(name.path) } : this.#newPart(name, version);
  }

  /** Makes a partial file, where names are numbered under the first one that no other file or run has. */
  #newPart(chosen: LocalName, version: Version): { name: LocalName; store: PartFile } {
    const isNumbered = this.#naming.existing === "number";
    for (let name = chosen; ; name = this.#nextName(version.url)) {
      try {
        const store = PartFile.open(name.path, version, false);
        if (!isNumbered || !isTaken(name.path)) return { name, store };
        store.remove();
      } catch (error) {
        if (!(error instanceof NameTaken) || !isNumbered) throw error;
      }
    }
  }

  #leaveMemory(opened: Open): void {
    const { version, store: memory } = opened;
    const { name, store } = this.#newPart(opened.name, version);
    store.write(0, memory.tail(memory.octets, memory.octets));
    store.cut(memory.octets, true);
    this.#state = { ...opened, name, store };
  }

  #checkMayReplace(name: LocalName, url: string): void {
    const { path, present } = name;
    if (present === undefined) return;
    checkReplaceable(name, this.#naming.replacesLinks);
    if (this.#naming.existing === "keep") throw cannotWrite(path, "it is there already");
    this.#naming.own.check(path, url, present);
  }

  #giveName({ name, version: { url }, store }: Open, own: string, file: Stats): void {
    const isSmallFile = store instanceof MemoryFile;
    if (name.present !== undefined || this.#naming.existing === "replace") {
      this.#checkMayReplace({ path: name.path, present: foundItself(name.path) }, url);
      renameSync(own, name.path);
    } else
      while (!moveIfFree(own, this.label)) {
        // A partial file keeps the name that its state holds.
        if (!isSmallFile || this.#naming.existing !== "number") throw this.#madeMeanwhile(url);
        this.#nextName(url);
      }
    this.#naming.own.note(this.label, url, file);
    if (isSmallFile) PartFile.clear(this.label, url);
  }

  #madeMeanwhile(url: string): FtpullError {
    const present = foundItself(this.label);
    if (present !== undefined) this.#naming.own.check(this.label, url, present);
    const words = "another program has made it meanwhile";
    return cannotWrite(this.label, words, "replace it with -f");
  }
}

/** Without a size, a file may be small: its first bytes wait in memory. */
function isSmall({ size = 0 }: Version): boolean {
  return size <= mostInMemory;
}

/** What an earlier run has left of the file, or with -c another program. */
function leftAt(name: LocalName, version: Version, existing: Existing) {
  const continues = existing === "continue";
  if (existing === "replace" || (isSmall(version) && !continues)) return undefined;
  const part = PartFile.left(name.path);
  return continues ? (leftByOther(name, part) ?? part) : part;
}

/** The file that another program left, unless a partial file has gone on behind all of it. */
function leftByOther({ path, present }: LocalName, part: PartialDocument | undefined) {
  if (!present?.isFile() || present.size === 0) return undefined;
  const { size, mtime } = present;
  const last = (of: string): Buffer => readTail(of, size, comparedOctets, "refuse");
  const isContinued =
    part !== undefined && part.octets > size && last(path + partSuffix).equals(last(path));
  return isContinued
    ? undefined
    : { octets: size, document: undefined, other: { path, size, mtime } };
}
