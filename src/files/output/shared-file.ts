/**
 * SharedFile: several documents in one file, in order (`-O file`). One partial file gets the final
 * name when at least one document is whole; incomplete ones are left out. The first document is
 * resumed like any other; where a later one begins is known to this run only.
 */
import type {
  Destination,
  DocumentIdentity,
  PartialDocument,
  SharedDestination,
} from "../destination.ts";
import { type Gap, missingBehind } from "../gaps.ts";
import { NamedFile } from "../part/named-file.ts";

export class SharedFile implements SharedDestination {
  readonly rewindable = true;
  readonly #file: NamedFile;
  readonly #several: boolean;
  /** Octets of the documents that are whole. */
  #base = 0;
  #whole = 0;
  #document: DocumentIdentity | undefined;
  #modified: Date | undefined;

  /** With `several` documents, a finished file isn't taken for the first one's beginning. */
  constructor(path: string, collision: "replace" | "continue", several = false) {
    this.#several = several;
    this.#file = new NamedFile(path, collision);
  }

  get label(): string {
    return this.#file.label;
  }

  partial(): PartialDocument | undefined {
    const all = this.#file.partial();
    if (this.#several && all?.inPlace) return undefined;
    if (this.#whole === 0 || all === undefined) return all;
    const octets = all.octets - this.#base;
    return octets > 0 ? { ...all, octets, document: this.#document } : undefined;
  }

  tail(offset: number, length: number): Buffer {
    return this.#file.tail(this.#base + offset, Math.min(length, offset));
  }

  stored(start: number, end: number): AsyncIterable<Buffer> {
    return this.#file.stored(this.#base + start, this.#base + end);
  }

  open(document: DocumentIdentity, missing: readonly Gap[]): void {
    const base = this.#base;
    const { size } = document;
    this.#document = document;
    this.#file.open(
      { ...document, size: size === undefined ? undefined : base + size },
      missing.map(([start, end]) => [base + start, base + end]),
    );
  }

  /** Only for the first document: the others don't begin at octet 0 of the file. */
  get save(): Destination["save"] {
    return this.#whole > 0 ? undefined : (missing) => this.#file.save(missing);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    return this.#file.writeAt(this.#base + position, chunk);
  }

  async publish(modified: Date | undefined): Promise<string> {
    this.#base = this.#file.end;
    this.#whole += 1;
    this.#modified = modified;
    this.#file.forget();
    return this.label;
  }

  /** A later run can resume the first document, until another one begins. */
  async keep(): Promise<number> {
    if (this.#whole === 0) return this.#file.keep();
    this.#takeBack();
    return 0;
  }

  async discard(): Promise<void> {
    if (this.#whole > 0) this.#takeBack();
    else await this.#file.discard();
  }

  async conclude(): Promise<void> {
    if (this.#whole === 0) return void (await this.#file.keep());
    try {
      await this.#file.publish(this.#whole === 1 ? this.#modified : undefined);
    } catch (error) {
      await this.#file.keep().catch(() => undefined); // that it wasn't published matters more
      throw error;
    }
  }

  async abandon(): Promise<void> {
    await this.#file.keep();
  }

  #takeBack(): void {
    const document = this.#document;
    if (document !== undefined) this.open(document, missingBehind(0, document.size));
  }
}
