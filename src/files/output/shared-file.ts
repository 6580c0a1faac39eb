/** Several documents in one file (`-O file`), in order. A document that doesn't become whole is taken back. */
import type { Destination, Version, PartialDocument } from "../destination.ts";
import type { Existing } from "../part/local-name.ts";
import { NamedFile } from "../part/named-file.ts";

export class SharedFile implements Destination {
  readonly rewindable = true;
  readonly #file: NamedFile;
  /** Position in the file at which the document begins: the end of those that are whole. */
  #base = 0;
  #hasWhole = false;
  #document: Version = { url: "" };
  #modified: Date | undefined;

  constructor(path: string, existing: Existing) {
    this.#file = new NamedFile(path, { existing: existing === "continue" ? "newer" : existing });
  }

  get label(): string {
    return this.#file.label;
  }

  get octets(): number {
    return this.#file.octets - this.#base;
  }

  choose(): PartialDocument | undefined {
    const { octets } = this;
    return octets > 0 ? { octets, document: this.#document } : undefined;
  }

  tail(offset: number, length: number): Buffer {
    return this.#file.tail(this.#base + offset, Math.min(length, offset));
  }

  open(document: Version, offset: number): void {
    this.#document = document;
    const { url } = document; // Without a size, no later run can resume the file.
    this.#file.choose({ url });
    void this.#file.open({ url }, this.#base + offset);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    return this.#file.writeAt(this.#base + position, chunk);
  }

  publish(modified: Date | undefined): void {
    this.#base = this.#file.octets;
    this.#modified = this.#hasWhole ? undefined : modified;
    this.#hasWhole = true;
  }

  keep(): number {
    this.discard();
    return 0;
  }

  discard(): void {
    if (this.#hasWhole) this.open(this.#document, 0);
    else this.#file.discard();
  }

  conclude(): void {
    if (this.#hasWhole) this.#file.publish(this.#modified);
  }

  abandon(): void {
    this.#file.discard();
  }
}
