/**
 * SmallDocument: waits in memory until it is whole, and is written in one go, without a folder. For
 * a thousand small files that is most of the work.
 */
import type { DocumentIdentity } from "../destination.ts";
import { followLinks } from "../links.ts";
import { isTaken } from "../regular-file.ts";
import { hasPartFolder, makingPath } from "./part-folder.ts";
import { type Collision, firstNumbered, publishOctets, replaces } from "./publish.ts";
import { isReplaceable } from "./reserve-name.ts";

/** Up to so many octets wait in memory, and are lost when the program is killed. */
const mostOctets = 64 * 1024;

/** Names of documents in memory, whose files don't exist yet. */
const reservedNames = new Set<string>();

/** Makes a small document; undefined if it is too large, or its name is in use. */
export function inMemory(
  path: string,
  collision: Collision,
  { size = Infinity }: DocumentIdentity,
): SmallDocument | undefined {
  if (size > mostOctets) return undefined;
  const name = nameFor(path, collision);
  if (name === undefined || hasPartFolder(name)) return undefined;
  return new SmallDocument(name, replaces(collision), size);
}

function nameFor(path: string, collision: Collision): string | undefined {
  if (collision === "number") return firstNumbered(path, free);
  if (collision === "fail") return free(path);
  const target = followLinks(path);
  return isReplaceable(target) ? target : undefined;
}

function free(name: string): string | undefined {
  return reservedNames.has(name) || isTaken(name) ? undefined : name;
}

export class SmallDocument {
  readonly path: string;
  readonly #isReplaced: boolean;
  readonly #room: Buffer;
  #length = 0;

  constructor(path: string, isReplaced: boolean, size: number) {
    this.path = path;
    this.#room = Buffer.alloc(size);
    this.#isReplaced = isReplaced;
    reservedNames.add(path);
  }

  write(chunk: Buffer): void {
    this.#length += chunk.copy(this.#room, this.#length);
  }

  get octets(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  /** Writes the file and returns its path; undefined on failure. */
  publish(modified: Date | undefined): string | undefined {
    try {
      const making = makingPath(this.path);
      return publishOctets(this.octets, making, this.path, this.#isReplaced, modified);
    } catch {
      return undefined; // by way of a folder it either succeeds or fails with a reason
    }
  }

  release(): void {
    reservedNames.delete(this.path);
  }
}
