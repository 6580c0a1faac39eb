/**
 * SmallDocument: a small document that waits in memory until it is whole, and is then written in
 * one go, without the lock, the partial file and the resume state that a long one needs: of a
 * thousand small files that is most of the work.
 */
import type { DocumentIdentity } from "../destination.ts";
import { followLinks } from "../links.ts";
import { existingFile, isTaken } from "../regular-file.ts";
import { firstFree, publishOctets } from "./publish.ts";
import type { Collision } from "./reserve.ts";

/** Documents of at most so many octets wait in memory: as much is lost when the program is killed. */
const mostOctets = 64 * 1024;

/** The names that such documents are to get. */
const reservedNames = new Set<string>();

/** The small document `document` for `path`; undefined where it isn't small, or something else uses that name. */
export function inMemory(
  path: string,
  collision: Collision,
  document: DocumentIdentity,
): SmallDocument | undefined {
  if ((document.size ?? Infinity) > mostOctets || collision === "continue") return undefined;
  const isReplaced = collision === "replace";
  const name = isReplaced
    ? followLinks(path)
    : firstFree(path, (one) => !reservedNames.has(one) && !isTaken(one));
  if (name.endsWith(".part")) return undefined; // it may be another one's partial file
  const isInUse = [`${name}.part`, `${name}.part.json`, `${name}.part.lock`].some(isTaken);
  const isFile = !isReplaced || !isTaken(name) || existingFile(name) !== undefined;
  return isFile && !isInUse ? new SmallDocument(name, isReplaced) : undefined;
}

export class SmallDocument {
  readonly path: string;
  readonly #isReplaced: boolean;
  readonly #chunks: Buffer[] = [];

  constructor(path: string, isReplaced: boolean) {
    this.path = path;
    this.#isReplaced = isReplaced;
    reservedNames.add(path);
  }

  /** Takes the next octets. */
  write(chunk: Buffer): void {
    this.#chunks.push(Buffer.from(chunk)); // the caller uses its own again
  }

  /** All that came. */
  get octets(): Buffer {
    const [first, ...others] = this.#chunks;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#chunks);
  }

  /** Writes it, and returns its path; undefined where that failed. */
  publish(modified: Date | undefined): string | undefined {
    try {
      return publishOctets(this.octets, this.path, this.#isReplaced, modified);
    } catch {
      return undefined; // a partial file either succeeds or says why not
    }
  }

  /** Leaves the name to others. */
  release(): void {
    reservedNames.delete(this.path);
  }
}
