/**
 * NamedFile: one document into one file, which has its name only when it is whole. How the
 * octets get there is the partial file's affair, and which name is free is claim.ts's.
 */
import { claimExactly, claimFree } from "./claim.ts";
import type { Destination, DocumentIdentity, PartialDocument, Scattered } from "./destination.ts";
import type { Gap } from "./gaps.ts";
import type { PartFile } from "./part-file.ts";
import { existingFile, readRange, readTail } from "./regular-file.ts";

/** What happens when the name is there: another name, a new file in its place, or the rest of it. */
export type Collision = "number" | "replace" | "continue";

export class NamedFile implements Destination {
  readonly rewindable = true;
  readonly #path: string;
  readonly #collision: Collision;
  #part: PartFile | undefined;
  #placed: string | undefined;

  /** Touches nothing yet; directories of `path` that are missing are made when they are needed. */
  constructor(path: string, collision: Collision) {
    this.#path = path;
    this.#collision = collision;
  }

  get label(): string {
    return this.#placed ?? this.#part?.path ?? this.#path;
  }

  /** Whether the name is taken, or what is here has been looked at. */
  get isClaimed(): boolean {
    return this.#part !== undefined;
  }

  partial(): PartialDocument | undefined {
    if (this.#part?.isOpen) return this.#part.partial();
    if (this.#collision !== "continue") return undefined;
    return this.#claim().partial() ?? this.#inPlace();
  }

  tail(offset: number, length: number): Buffer {
    const part = this.#claim();
    return part.octets > 0 ? part.tail(offset, length) : readTail(part.path, offset, length);
  }

  /** Those behind `start`, where the document doesn't begin the file. */
  stored(octets: number, start = 0): AsyncIterable<Buffer> {
    const part = this.#claim();
    return part.octets > 0 ? part.stored(start, octets) : readRange(part.path, start, octets);
  }

  begin(document: DocumentIdentity, offset: number): void {
    this.#claim().begin(document, offset);
  }

  write(chunk: Buffer): void | Promise<void> {
    return this.#claim().write(chunk);
  }

  scatter(document: DocumentIdentity, missing: readonly Gap[]): Scattered {
    return this.#claim().scatter(document, missing);
  }

  /** Where in the file the next octet goes. */
  get position(): number {
    return this.#claim().position;
  }

  /** How many octets a later run could build on. */
  get resumable(): number {
    return this.#part?.resumable ?? 0;
  }

  /** Forgets whose octets these are: no later run resumes them. */
  forget(): void {
    this.#claim().forget();
  }

  async finish(modified: Date | undefined): Promise<string> {
    this.#placed = await this.#claim().place(this.#collision !== "number", modified);
    this.#part = undefined;
    return this.#placed;
  }

  async close(): Promise<number> {
    const part = this.#part;
    this.#part = undefined;
    return (await part?.close()) ?? 0;
  }

  async discard(): Promise<void> {
    const part = this.#part;
    this.#part = undefined;
    await part?.discard();
  }

  #claim(): PartFile {
    const claim = this.#collision === "number" ? claimFree : claimExactly;
    return (this.#part ??= claim(this.#path));
  }

  /** wget and others write the name itself: what is there may be the beginning. */
  #inPlace(): PartialDocument | undefined {
    const octets = existingFile(this.#claim().path)?.octets ?? 0;
    return octets > 0 ? { octets, document: undefined, inPlace: true } : undefined;
  }
}
