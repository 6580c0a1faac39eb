/**
 * The partial file of a larger file: `NAME.ftpull` has its first bytes, and the state beside it tells of which file
 * they are and which run writes them. Before a cut, and at a private name before the file gets its own, this run looks
 * whether the state is still its own. Another version, or a beginning at 0, makes a new file.
 */
import {
  type Stats,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import type { FtpullError } from "../../errors.ts";
import { isSameUrl } from "../../url/format.ts";
import type { Stored, Version } from "../destination.ts";
import { cannotWrite, fileError, ifPossible, withWriteErrors } from "../file-error.ts";
import { partSuffix, stateSuffix } from "../names.ts";
import { moveIfFree, openNew } from "../private-file.ts";
import { foundItself, isTaken, noLinks, readTail, writeAll } from "../regular-file.ts";
import {
  endedState,
  isHeld,
  isOwnUsers,
  noteState,
  publishedPath,
  readState,
  removeState,
  takeState,
  writerOf,
} from "./part-state.ts";

const copiedAtOnce = 1024 * 1024;

export class PartFile {
  readonly version: Version;
  readonly #name: string;
  readonly #path: string;
  /** -1 once it is closed: no late write may meet a file that has got the number. */
  #fd: number;
  readonly #opened: Stats;
  /** True while the state has the version, by which a later run resumes the file. */
  #isNoted: boolean;
  octets: number;

  private constructor(name: string, fd: number, version: Version, isNoted: boolean) {
    this.#name = name;
    this.#path = name + partSuffix;
    this.#fd = fd;
    this.version = version;
    this.#isNoted = isNoted;
    this.#opened = fstatSync(fd);
    this.octets = this.#opened.size;
  }

  /** What an ended run has left, if it can be resumed. @throws "name taken" */
  static left(name: string): Stored | undefined {
    const state = endedState(name);
    if (state?.size === undefined || state.modified === undefined || !state.isOwn) return undefined;
    const file = foundItself(name + partSuffix);
    if (file === undefined || !isOwnFile(file) || file.size === 0) return undefined;
    return { octets: file.size, version: state };
  }

  /** Removes what an ended run has left of a file that is whole now. */
  static clear(name: string, url: string): void {
    const state = isTaken(name + stateSuffix) ? readState(name) : undefined;
    if (!state?.isOwn || !isSameUrl(state.url, url) || writerOf(name, state) !== undefined) return;
    ifPossible(() => {
      rmSync(name + partSuffix, { force: true });
      removeState(name);
    });
  }

  /**
   * Takes the name for this run: with the file that `left` told of, or with a new one in the place of an ended run's.
   * @throws "name taken"; FtpullError "file"
   */
  static open(name: string, version: Version, resumes: boolean): PartFile {
    const path = name + partSuffix;
    return withWriteErrors(path, () => {
      takeState(name, resumes ? version : { url: version.url });
      try {
        if (!resumes) rmSync(path, { force: true }); // Only now: before, it might be another run's.
        return new PartFile(name, resumes ? openOwn(path) : openNew(path), version, resumes);
      } catch (error) {
        if (!resumes) ifPossible(() => removeState(name));
        throw error;
      }
    });
  }

  /** Begins with the first bytes of another program's file. @throws FtpullError "file" */
  async copyFrom(path: string, octets: number): Promise<void> {
    const bytes = createReadStream(path, { end: octets - 1, highWaterMark: copiedAtOnce });
    try {
      for await (const chunk of bytes) this.write(this.octets, chunk as Buffer);
    } catch (error) {
      throw fileError("read", path, error);
    }
    if (this.octets < octets) throw hasChanged(path);
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#path, offset, length);
  }

  write(position: number, chunk: Buffer): void {
    try {
      writeAll(this.#fd, `"${this.#path}"`, chunk, position);
      this.octets = Math.max(this.octets, position + chunk.length);
    } catch (error) {
      this.octets = fstatSync(this.#fd).size; // A full disk takes a part of them.
      throw error;
    }
  }

  cut(octets: number, isInOrder: boolean): void {
    if (octets === this.octets && isInOrder === this.#isNoted) return;
    this.#checkHeld();
    if (octets > this.octets) throw hasChanged(this.#path);
    const noted = isInOrder ? this.version : { url: this.version.url };
    withWriteErrors(this.#path, () => {
      ftruncateSync(this.#fd, octets);
      noteState(this.#name, noted);
    });
    this.octets = octets;
    this.#isNoted = isInOrder;
  }

  #checkHeld(): void {
    if (isHeld(this.#name)) return;
    throw cannotWrite(this.#path, "another run has taken it over, or removed its state");
  }

  whole(modified: Date | undefined, giveName: (path: string, file: Stats) => void): void {
    const file = fstatSync(this.#fd);
    if (modified !== undefined) ifPossible(() => futimesSync(this.#fd, modified, modified));
    this.#close();
    const own = publishedPath(this.#name);
    withWriteErrors(this.#path, () => renameSync(this.#path, own));
    try {
      this.#checkHeld();
      if (!this.#isAt(own)) throw hasChanged(this.#path);
      giveName(own, file);
    } catch (error) {
      ifPossible(() => moveIfFree(own, this.#path));
      throw error;
    }
    removeState(this.#name);
  }

  #isAt(path: string): boolean {
    const found = foundItself(path);
    const isSame = found?.ino === this.#opened.ino && found.dev === this.#opened.dev;
    return isSame && found.size === this.octets;
  }

  keep(): number {
    ifPossible(() => this.#close());
    const { size, modified } = this.version;
    const isKnown = this.#isNoted && modified !== undefined && this.octets <= (size ?? 0);
    const isUsable = isKnown && this.octets > 0 && this.#isAt(this.#path);
    if (!isUsable || !isHeld(this.#name)) {
      this.remove();
      return 0;
    }
    // Without room on the disk, the state stays as it is: it tells of an ended process, too.
    ifPossible(() => noteState(this.#name, this.version, null));
    return this.octets;
  }

  remove(): void {
    ifPossible(() => this.#close());
    // Without any state, no other run has the name.
    const isAlone = !isTaken(this.#name + stateSuffix) && this.#isAt(this.#path);
    if (!isAlone && !isHeld(this.#name)) return;
    rmSync(this.#path, { force: true });
    removeState(this.#name); // Last: while it is there, no other run begins.
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = -1;
    if (fd !== -1) withWriteErrors(this.#path, () => closeSync(fd));
  }
}

/** Opens a partial file for writing, never through a link. @throws FtpullError "file"; the system's error */
function openOwn(path: string): number {
  const fd = openSync(path, constants.O_RDWR | noLinks);
  if (isOwnFile(fstatSync(fd))) return fd;
  closeSync(fd);
  throw hasChanged(path);
}

/** False for another user's file, and for one that has a second name. */
function isOwnFile(file: Stats): boolean {
  return file.isFile() && file.nlink === 1 && isOwnUsers(file.uid);
}

export function hasChanged(path: string): FtpullError {
  return cannotWrite(path, "another program has changed it");
}
