/**
 * Reads whole files of bounded size: a path may lead to a FIFO without a writer, a device without
 * an end, or a file larger than memory.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";

/** With O_NONBLOCK, a FIFO that took the file's place doesn't block. Windows has no such flags. */
const flagsFor = {
  follow: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
  refuse: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
};

/** Reads a regular file of up to `most` octets. @throws Error for the user, or the system's */
export function readRegular(
  path: string,
  most: number,
  links: "follow" | "refuse",
): { readonly octets: Buffer; readonly stats: Stats } {
  checkRegular(links === "follow" ? statSync(path) : lstatSync(path), most);
  const fd = openSync(path, flagsFor[links]);
  try {
    const stats = fstatSync(fd);
    checkRegular(stats, most);
    const octets = Buffer.alloc(stats.size);
    return { octets: octets.subarray(0, readSync(fd, octets)), stats };
  } finally {
    closeSync(fd);
  }
}

/** Throws an Error for the user unless the file is regular and has up to `most` octets. */
export function checkRegular(stats: Stats, most: number): void {
  if (!stats.isFile()) throw new Error("it is not a regular file");
  if (stats.size > most) throw tooLarge(most);
}

/** Reads a file, FIFO or device of up to `most` octets. A FIFO blocks it, signal handlers too. */
export function readBounded(path: string, most: number): Buffer {
  const fd = openSync(path, "r");
  try {
    const pieces = [];
    for (let total = 0; ;) {
      const piece = Buffer.alloc(64 * 1024);
      const length = readSync(fd, piece);
      if (length === 0) return Buffer.concat(pieces);
      pieces.push(piece.subarray(0, length));
      total += length;
      if (total > most) throw tooLarge(most);
    }
  } finally {
    closeSync(fd);
  }
}

/** Reads a stream of up to `most` octets. */
export async function readStream(
  stream: AsyncIterable<Buffer | string>,
  most: number,
): Promise<Buffer> {
  const pieces = [];
  let total = 0;
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk as Buffer);
    pieces.push(piece);
    total += piece.length;
    if (total > most) throw tooLarge(most);
  }
  return Buffer.concat(pieces);
}

function tooLarge(most: number): Error {
  return new Error(`it has more than ${most} octets`);
}
