/**
 * SmallFile: a NamedFile that has small documents in memory until they are whole, and then writes
 * them in one go, without the lock, the partial file and the note that a long one needs: of a
 * thousand small files that is most of the work. Whatever else becomes of them, the octets go
 * the NamedFile's way, as if they had just come. A file to go on with is never held.
 */
import type { DocumentIdentity, PartialDocument, Scattered } from "../destination.ts";
import type { Gap } from "../gaps.ts";
import { existingFile, isTaken } from "../regular-file.ts";
import { NamedFile } from "./named-file.ts";
import { firstFree, publishOctets } from "./publish.ts";
import { followLinks } from "./reserve.ts";

/** Documents of so many octets at most are held: as much is lost when the program is killed. */
const mostHeld = 64 * 1024;

/** The names that documents held at the moment are to get. */
const reservedNames = new Set<string>();

interface Held {
  readonly document: DocumentIdentity;
  /** The name that it is to get. */
  readonly path: string;
  readonly chunks: Buffer[];
}

export class SmallFile extends NamedFile {
  #held: Held | undefined;

  override get label(): string {
    return this.#held?.path ?? super.label;
  }

  override partial(): PartialDocument | undefined {
    this.#handOn();
    return super.partial();
  }

  override begin(document: DocumentIdentity, offset: number): void {
    this.#drop();
    const isSmall = offset === 0 && (document.size ?? Infinity) <= mostHeld;
    const path = isSmall && this.reserved === undefined ? this.#quickPath() : undefined;
    if (path === undefined) return super.begin(document, offset);
    reservedNames.add(path);
    this.#held = { document, path, chunks: [] };
  }

  override scatter(document: DocumentIdentity, missing: readonly Gap[]): Scattered {
    this.#drop();
    return super.scatter(document, missing);
  }

  override write(chunk: Buffer): void | Promise<void> {
    if (this.#held === undefined) return super.write(chunk);
    this.#held.chunks.push(Buffer.from(chunk)); // the caller uses its own again
  }

  override async finish(modified: Date | undefined): Promise<string> {
    const held = this.#held;
    if (held === undefined) return super.finish(modified);
    try {
      const replace = this.collision === "replace";
      this.published = publishOctets(joined(held.chunks), held.path, replace, modified);
      this.#drop();
      return this.published;
    } catch {
      this.#handOn(); // the longer way either succeeds or says why not
      return super.finish(modified);
    }
  }

  override close(): Promise<number> {
    this.#handOn();
    return super.close();
  }

  override discard(): Promise<void> {
    this.#drop();
    return super.discard();
  }

  /** The name for a document that is held; undefined where somebody else has to do with that name. */
  #quickPath(): string | undefined {
    if (this.collision === "continue") return undefined;
    const replace = this.collision === "replace";
    const path = replace
      ? followLinks(this.path)
      : firstFree(this.path, (name) => !reservedNames.has(name) && !isTaken(name));
    if (path.endsWith(".part")) return undefined; // it may be another one's partial file
    const isInUse = [`${path}.part`, `${path}.part.json`, `${path}.part.lock`].some(isTaken);
    const isFile = !replace || !isTaken(path) || existingFile(path) !== undefined;
    return isFile && !isInUse ? path : undefined;
  }

  /** Gives what is held to the file. The first write to a file is never one that is waited for. */
  #handOn(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#drop();
    super.begin(held.document, 0);
    if (held.chunks.length > 0) void super.write(joined(held.chunks));
  }

  #drop(): void {
    if (this.#held !== undefined) reservedNames.delete(this.#held.path);
    this.#held = undefined;
  }
}

/** Mostly a small document is one chunk, which needn't be copied again. */
function joined(chunks: readonly Buffer[]): Buffer {
  const [first, ...others] = chunks;
  return first !== undefined && others.length === 0 ? first : Buffer.concat(chunks);
}
