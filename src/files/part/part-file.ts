/**
 * The partial file of a larger file: `NAME.ftpull` has its first bytes, and the state beside it tells of which file
 * they are and which run writes them. Before a cut, and at a private name before the file gets its own, this run looks
 * whether the state is still its own. Another version, or a beginning at 0, makes a new file.
 */
import {
  type BigIntStats,
  type Stats,
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
import type { PartialDocument, Version } from "../destination.ts";
import { cannotWrite, hasCode, ifPossible, withWriteErrors } from "../file-error.ts";
import { FileWriter } from "../file-writer.ts";
import { partSuffix } from "../names.ts";
import { moveIfFree, openNew, privatePath } from "../private-file.ts";
import { foundExactly, readRange, readTail } from "../regular-file.ts";
import {
  isHeld,
  isOwnUsers,
  noteState,
  releaseState,
  removeState,
  type State,
  takeState,
} from "./part-state.ts";
import type { Store } from "./store.ts";

const existing = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);

export class PartFile implements Store {
  readonly #name: string;
  readonly #path: string;
  readonly #writer: FileWriter;
  readonly #opened: BigIntStats;
  #version: Version;
  #isInOrder = true;
  #isClosed = false;

  private constructor(name: string, fd: number, version: Version) {
    this.#name = name;
    this.#path = name + partSuffix;
    this.#writer = new FileWriter(fd, `"${this.#path}"`);
    this.#version = version;
    this.#opened = fstatSync(fd, { bigint: true });
    this.#writer.end = Number(this.#opened.size);
  }

  /** What an ended run has left, if it can be resumed. */
  static left(name: string, state: State | undefined): PartialDocument | undefined {
    if (state?.version === undefined || !state.isOwn) return undefined;
    const fd = openOwn(name + partSuffix);
    if (fd === undefined) return undefined;
    const { size } = fstatSync(fd);
    closeSync(fd);
    return size === 0 ? undefined : { octets: size, document: state.version };
  }

  /** A new file in the place of an ended run's. @throws NameTaken; FtpullError "file" */
  static begin(name: string, version: Version, mode: number): PartFile {
    return begun(name, version, () => {
      rmSync(name + partSuffix, { force: true }); // Only now: before, it might be another run's.
      return new PartFile(name, openNew(name + partSuffix, mode), version);
    });
  }

  /** The file that `left` told of. @throws NameTaken; FtpullError "file" */
  static resume(name: string, version: Version): PartFile {
    return withWriteErrors(name + partSuffix, () => {
      takeState(name, version.url, version);
      try {
        const fd = openOwn(name + partSuffix);
        if (fd === undefined) throw hasChanged(name + partSuffix);
        return new PartFile(name, fd, version);
      } catch (error) {
        ifPossible(() => releaseState(name, version));
        throw error;
      }
    });
  }

  /** A copy of a file that another program has left. */
  static copyOf(name: string, version: Version): PartFile {
    return begun(name, version, () => {
      const path = name + partSuffix;
      rmSync(path, { force: true });
      closeSync(openNew(path, 0o600)); // The permissions of the original may keep this user from writing.
      copyFileSync(name, path, constants.COPYFILE_FICLONE);
      return new PartFile(name, openSync(path, existing), version);
    });
  }

  get octets(): number {
    return this.#writer.end;
  }

  tail(offset: number, length: number): Buffer {
    return readTail(this.#path, offset, length);
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return readRange(this.#path, start, end - start, "refuse");
  }

  write(position: number, chunk: Buffer): void {
    this.#writer.write(chunk, position);
  }

  /** Goes on behind the first bytes. While they don't come in order, no later run can resume the file. */
  goOn(version: Version, octets: number, isInOrder: boolean): void {
    const isNoted = isInOrder === this.#isInOrder && version.size === this.#version.size;
    this.#version = version;
    this.#isInOrder = isInOrder;
    this.#cutTo(octets);
    if (!isNoted) this.note();
  }

  #cutTo(octets: number): void {
    if (octets === this.octets) return;
    if (octets > this.octets) throw hasChanged(this.#path);
    this.#checkHeld();
    withWriteErrors(this.#path, () => ftruncateSync(this.#writer.fd, octets));
    this.#writer.end = octets;
  }

  #checkHeld(): void {
    if (isHeld(this.#name)) return;
    throw cannotWrite(this.#path, "another run has taken it over, or removed its state");
  }

  note(): void {
    const version = this.#isInOrder ? this.#version : undefined;
    withWriteErrors(this.#path, () => noteState(this.#name, this.#version.url, version));
  }

  publish(modified: Date | undefined, giveName: (path: string, file: Stats) => void): void {
    const { fd } = this.#writer;
    const file = fstatSync(fd);
    if (modified !== undefined) ifPossible(() => futimesSync(fd, modified, modified));
    this.#close();
    const own = privatePath(this.#path);
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
    const found = foundExactly(path);
    const isSame = found?.ino === this.#opened.ino && found.dev === this.#opened.dev;
    return isSame && Number(found.size) === this.octets;
  }

  keep(): number {
    ifPossible(() => this.#close());
    if (!isHeld(this.#name)) return 0;
    const { size, modified } = this.#version;
    const isKnown = this.#isInOrder && size !== undefined && modified !== undefined;
    if (isKnown && this.octets > 0 && this.#isAt(this.#path)) {
      ifPossible(() => releaseState(this.#name, this.#version)); // Without room on the disk, the old one stays.
      return this.octets;
    }
    this.remove();
    return 0;
  }

  remove(): void {
    ifPossible(() => this.#close());
    if (isHeld(this.#name)) removePart(this.#name);
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    withWriteErrors(this.#path, () => closeSync(this.#writer.fd));
  }
}

/** The state goes last: while it is there, no other run begins. */
export function removePart(name: string): void {
  rmSync(name + partSuffix, { force: true });
  removeState(name);
}

function begun(name: string, { url }: Version, open: () => PartFile): PartFile {
  return withWriteErrors(name + partSuffix, () => {
    takeState(name, url);
    try {
      const part = open();
      part.note();
      return part;
    } catch (error) {
      ifPossible(() => removeState(name));
      throw error;
    }
  });
}

/** Opens a partial file for writing; undefined for one that is missing, another user's, or has a second name. */
function openOwn(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, existing);
  } catch (error) {
    if (hasCode(error, "ENOENT", "ELOOP", "EACCES", "EISDIR")) return undefined;
    throw error;
  }
  const file = fstatSync(fd);
  if (file.isFile() && file.nlink === 1 && isOwnUsers(file.uid)) return fd;
  closeSync(fd);
  return undefined;
}

function hasChanged(path: string): Error {
  return cannotWrite(path, "another program has changed it");
}
