/**
 * A document that waits in memory until it is whole, and is written in one go, without a folder:
 * with a thousand small files, folders would be most of the work.
 */
import { isTaken } from "../regular-file.ts";
import { hasPartFolder } from "./part-folder.ts";
import { type Collision, firstNumbered, publishOctets } from "./publish.ts";
import { targetOf } from "./reserve-name.ts";

/** Larger documents aren't kept in memory, since a kill would lose them. */
const mostOctets = 64 * 1024;

const reservedNames = new Set<string>();

/**
 * Takes a document into memory; undefined if it is too large, or a folder has its name. `isFree`:
 * nothing had the path a moment ago.
 */
export function inMemory(
  path: string,
  collision: Collision,
  size: number | undefined,
  isFree: boolean,
): SmallDocument | undefined {
  if (size === undefined || size > mostOctets) return undefined;
  const free = (one: string) => (reservedNames.has(one) || isTaken(one) ? undefined : one);
  const target = (): string => (isFree ? path : targetOf(path, collision));
  const name = collision === "number" ? firstNumbered(path, free) : target();
  return hasPartFolder(name) ? undefined : new SmallDocument(name, collision, size);
}

export class SmallDocument {
  readonly path: string;
  readonly #collision: Collision;
  readonly #room: Buffer;
  #length = 0;

  constructor(path: string, collision: Collision, size: number) {
    this.path = path;
    this.#collision = collision;
    this.#room = Buffer.alloc(size);
    reservedNames.add(path);
  }

  write(chunk: Buffer): void {
    this.#length += chunk.copy(this.#room, this.#length);
  }

  get octets(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  publish(modified: Date | undefined): boolean {
    try {
      publishOctets(this.octets, this.path, this.#collision, modified);
      return true;
    } catch {
      return false; // With a folder, publishing then succeeds or fails with a reason.
    }
  }

  release(): void {
    reservedNames.delete(this.path);
  }
}
