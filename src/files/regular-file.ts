/** Facts and octets of regular files; anything else at a path counts as no file. */
import {
  type Stats,
  closeSync,
  createReadStream,
  lstatSync,
  openSync,
  readSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { errorCode, fileError, writing } from "./file-error.ts";

export interface ExistingFile {
  readonly octets: number;
  readonly modified: Date;
}

/** What `path` names, links followed. @throws FtpullError "file" if it can't be looked up */
export function found(path: string): Stats | undefined {
  return writing(path, () => statSync(path, { throwIfNoEntry: false }));
}

/** What `path` names, without following a link at its end. */
export function foundItself(path: string): Stats | undefined {
  return writing(path, () => lstatSync(path, { throwIfNoEntry: false }));
}

/** The regular file that `path` names, also through links; undefined when there is none. */
export function existingFile(path: string): ExistingFile | undefined {
  const file = found(path);
  return file?.isFile() ? { octets: file.size, modified: file.mtime } : undefined;
}

/** Whether the name exists, be it a link to nowhere. */
export function isTaken(path: string): boolean {
  return foundItself(path) !== undefined;
}

/** The octets of a regular file; undefined when the path has none. Links aren't followed. */
export function regularSize(path: string): number | undefined {
  const file = foundItself(path);
  return file?.isFile() ? file.size : undefined;
}

/** Whether a file occupies less than its size: holes, compression, or unknown blocks. */
export function isSparse(path: string): boolean {
  const { blocks = 0, size = 0 } = foundItself(path) ?? {};
  return blocks * 512 < size;
}

/** Whether two names are the same file. As bigint: inode numbers can exceed 2^53. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) =>
    writing(path, () => lstatSync(path, { throwIfNoEntry: false, bigint: true })),
  );
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

/** The `length` octets before `offset`, or as many as there are. @throws FtpullError "file" */
export function readTail(path: string, offset: number, length: number): Buffer {
  const start = Math.max(0, offset - length);
  try {
    const fd = openSync(path, "r");
    try {
      const tail = Buffer.alloc(offset - start);
      return tail.subarray(0, readSync(fd, tail, 0, tail.length, start));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw fileError("read", path, error);
  }
}

const pieceSize = 1024 * 1024;

/** The `length` octets from `start` on, or as many as there are. @throws FtpullError "file" */
export async function* readRange(
  path: string,
  start: number,
  length: number,
): AsyncGenerator<Buffer> {
  if (length === 0) return;
  const end = start + length - 1;
  try {
    for await (const piece of createReadStream(path, { start, end, highWaterMark: pieceSize }))
      yield piece as Buffer;
  } catch (error) {
    throw fileError("read", path, error);
  }
}

/** Resolves when the file's octets are on the disk, or there is no file. */
export async function syncFile(path: string): Promise<void> {
  try {
    const file = await open(path, "r+");
    await file.sync().finally(() => file.close());
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
