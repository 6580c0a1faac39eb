/**
 * HeldFile: a NamedFile that has small documents in memory until they are whole, and then writes
 * them in one go, without the lock, the partial file and the note that a long one needs: of a
 * thousand small files that is most of the work. Whatever else becomes of them, the NamedFile
 * gets the octets, and does as if they had come to it.
 */
import type { Destination, DocumentIdentity, PartialDocument, Scattered } from "./destination.ts";
import { followLinks } from "./claim.ts";
import type { Gap } from "./gaps.ts";
import type { NamedFile } from "./named-file.ts";
import { numbered, placeOctets } from "./place.ts";
import { existingFile, isTaken } from "./regular-file.ts";

/** Documents of so many octets at most are held: as much is lost when the program is killed. */
const mostHeld = 64 * 1024;

/** The names that documents held at the moment are to get. */
const promised = new Set<string>();

interface Held {
  readonly document: DocumentIdentity;
  /** The name that it is to get. */
  readonly path: string;
  readonly chunks: Buffer[];
}

export class HeldFile implements Destination {
  readonly rewindable = true;
  readonly #file: NamedFile;
  readonly #path: string;
  readonly #replace: boolean;
  #held: Held | undefined;
  #placed: string | undefined;

  /** `file` is to become `path`, or without `replace` the first name beside it that is free. */
  constructor(file: NamedFile, path: string, replace: boolean) {
    this.#file = file;
    this.#path = path;
    this.#replace = replace;
  }

  get label(): string {
    return this.#placed ?? this.#held?.path ?? this.#file.label;
  }

  partial(): PartialDocument | undefined {
    this.#handOn();
    return this.#file.partial();
  }

  tail(offset: number, length: number): Buffer {
    this.#handOn();
    return this.#file.tail(offset, length);
  }

  stored(octets: number): AsyncIterable<Buffer> {
    this.#handOn();
    return this.#file.stored(octets);
  }

  begin(document: DocumentIdentity, offset: number): void {
    this.#drop();
    const isSmall = offset === 0 && (document.size ?? Infinity) <= mostHeld;
    const path = isSmall && !this.#file.isClaimed ? this.#quickPath() : undefined;
    if (path === undefined) return this.#file.begin(document, offset);
    promised.add(path);
    this.#held = { document, path, chunks: [] };
  }

  scatter(document: DocumentIdentity, missing: readonly Gap[]): Scattered {
    this.#drop();
    return this.#file.scatter(document, missing);
  }

  write(chunk: Buffer): void | Promise<void> {
    if (this.#held === undefined) return this.#file.write(chunk);
    this.#held.chunks.push(Buffer.from(chunk)); // the caller uses its own again
  }

  async finish(modified: Date | undefined): Promise<string> {
    this.#placed = this.#placeHeld(modified);
    if (this.#placed !== undefined) return this.#placed;
    this.#handOn();
    return (this.#placed = await this.#file.finish(modified));
  }

  close(): Promise<number> {
    this.#handOn();
    return this.#file.close();
  }

  discard(): Promise<void> {
    this.#drop();
    return this.#file.discard();
  }

  /** The name for a document that is held; undefined where somebody else has to do with that name. */
  #quickPath(): string | undefined {
    const path = this.#replace ? followLinks(this.#path) : this.#freePath();
    const isQuick = ![`${path}.part`, `${path}.part.lock`].some(isTaken);
    const isFile = !this.#replace || !isTaken(path) || existingFile(path) !== undefined;
    return isQuick && isFile ? path : undefined;
  }

  #freePath(): string {
    for (const path of numbered(this.#path)) if (!promised.has(path) && !isTaken(path)) return path;
    throw new Error("unreachable: the names don't end");
  }

  /** Where it fails, the longer way either succeeds or says why not. */
  #placeHeld(modified: Date | undefined): string | undefined {
    if (this.#held === undefined) return undefined;
    const { path, chunks } = this.#held;
    try {
      const placed = placeOctets(Buffer.concat(chunks), path, this.#replace, modified);
      this.#drop();
      return placed;
    } catch {
      return undefined;
    }
  }

  /** Gives what is held to the file. The first write to a file is never one that is waited for. */
  #handOn(): void {
    const held = this.#held;
    if (held === undefined) return;
    this.#drop();
    this.#file.begin(held.document, 0);
    if (held.chunks.length > 0) void this.#file.write(Buffer.concat(held.chunks));
  }

  #drop(): void {
    if (this.#held !== undefined) promised.delete(this.#held.path);
    this.#held = undefined;
  }
}
