/** Facts about what is at a path, and the bytes of regular files. */
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { errorAbout, fileError, withWriteErrors } from "./file-error.ts";

/** Facts about the file to which the path leads, also through links. @throws FtpullError "file" */
export function found(path: string): Stats | undefined {
  return withWriteErrors(path, () => statSync(path, { throwIfNoEntry: false }));
}

export function foundItself(path: string): Stats | undefined {
  return withWriteErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

export function existingFile(path: string): Stats | undefined {
  const file = found(path);
  return file?.isFile() ? file : undefined;
}

export function hasBytes(file: Stats | undefined): boolean {
  return file?.isFile() === true && file.size > 0;
}

export function isTaken(path: string): boolean {
  return foundItself(path) !== undefined;
}

/** The `length` bytes before `offset`, or as many as there are. @throws FtpullError "file" */
export function readTail(path: string, offset: number, length: number): Buffer {
  const start = Math.max(0, offset - length);
  try {
    return withOpen(path, 0, (fd) => readAt(fd, start, offset - start));
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** A flag with which no symbolic link is opened; Windows lacks it. */
export const noLinks = constants.O_NOFOLLOW ?? 0;

/** Reads a whole file. @throws the system's error, or an Error with words unless it is regular, and not too large */
export function readRegular(path: string, most: number, flags = 0) {
  return withOpen(path, flags, (fd) => {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > most) throw tooLarge(most);
    return { octets: readAt(fd, 0, stats.size), stats };
  });
}

export function tooLarge(most: number): Error {
  return new Error(`it has more than ${most} bytes`);
}

function withOpen<T>(path: string, flags: number, read: (fd: number) => T): T {
  // A FIFO that took the file's place doesn't block.
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
  try {
    return read(fd);
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, start: number, length: number): Buffer {
  const octets = Buffer.alloc(length);
  return octets.subarray(0, readSync(fd, octets, 0, length, start));
}

/** Writes all bytes, at a position or where the descriptor stands; waiting is cheapest. `what` is its name in errors. */
export function writeAll(fd: number, what: string, chunk: Buffer, position?: number): void {
  try {
    for (let written = 0; written < chunk.length;) {
      const at = position === undefined ? undefined : position + written;
      written += writeSync(fd, chunk, written, chunk.length - written, at);
    }
  } catch (error) {
    throw errorAbout("write", what, error);
  }
}
