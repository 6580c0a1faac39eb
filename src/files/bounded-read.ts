/**
 * Files that are read as a whole. Their names may lead to anything: a FIFO that is never
 * written to, a device without an end, a file that doesn't fit into memory.
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

/** A FIFO that took the file's place since it was looked at isn't waited for. Windows has no such flags. */
const flagsFor = {
  follow: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0),
  refuse: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0),
};

/**
 * The octets of a regular file of at most `most` octets, and what the system says of it.
 * @throws Error with words for the user, or the system's
 */
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

/** @throws Error where it is no regular file, or has more than `most` octets */
export function checkRegular(stats: Stats, most: number): void {
  if (!stats.isFile()) throw new Error("it is not a regular file");
  if (stats.size > most) throw tooLarge(most);
}

/**
 * All that a file, a FIFO or a device gives, at most `most` octets. It waits for a FIFO, and
 * no signal handler runs meanwhile.
 * @throws Error with words for the user, or the system's
 */
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

/** The same of a stream. */
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
