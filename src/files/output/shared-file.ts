/** Several documents in one file (`-O file`), in order. A document that doesn't become whole is taken back. */
import type { Destination, Version, PartialDocument } from "../destination.ts";
import type { Existing } from "../part/local-name.ts";
import { NamedFile } from "../part/named-file.ts";

export class SharedFile implements Destination {
  readonly rewindable = true;
  readonly #file: NamedFile;
  /** Position in the file at which the document begins: the end of those that are whole. */
  #base = 0;
  #wholeDocuments = 0;
  #document: Version | undefined;
  #lastModified: Date | undefined;

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
    this.#openAt(this.#base + offset);
  }

  writeAt(position: number, chunk: Buffer): void | Promise<void> {
    return this.#file.writeAt(this.#base + position, chunk);
  }

  async publish(modified: Date | undefined): Promise<void> {
    this.#base = this.#file.octets;
    this.#wholeDocuments += 1;
    this.#lastModified = modified;
  }

  async keep(): Promise<number> {
    await this.discard();
    return 0;
  }

  async discard(): Promise<void> {
    if (this.#wholeDocuments > 0) this.#openAt(this.#base);
    else await this.#file.discard();
  }

  async conclude(): Promise<void> {
    if (this.#wholeDocuments === 0) return this.#file.discard();
    try {
      await this.#file.publish(this.#wholeDocuments === 1 ? this.#lastModified : undefined);
    } catch (error) {
      await this.#file.keep().catch(() => undefined); // The failure to publish matters more.
      throw error;
    }
  }

  abandon(): Promise<void> {
    return this.#file.discard();
  }

  /** Without a size, no later run can resume the file. */
  #openAt(start: number): void {
    const { url = "" } = this.#document ?? {};
    this.#file.choose({ url });
    void this.#file.open({ url }, start);
  }
}
