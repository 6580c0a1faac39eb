/**
 * CheckedDestination: a destination that lets a document be whole only when it has the
 * checksums that it should have. They are those of the octets as they are stored: of a
 * converted text, of the file as `sha256sum -c` finds it.
 */
import { FtpullError } from "../errors.ts";
import type { Destination, DocumentIdentity, PartialDocument } from "../files/destination.ts";
import type { Checksum } from "./checksum.ts";
import { DocumentHash } from "./document-hash.ts";

export class CheckedDestination implements Destination {
  readonly #inner: Destination;
  readonly #expected: readonly Checksum[];
  /** Of all octets before the next one, or of none of them yet. */
  #hash: DocumentHash;
  /** Where the next octet goes. */
  #position = 0;

  constructor(inner: Destination, expected: readonly Checksum[]) {
    this.#inner = inner;
    this.#expected = expected;
    this.#hash = new DocumentHash(expected);
  }

  get label(): string {
    return this.#inner.label;
  }

  get rewindable(): boolean {
    return this.#inner.rewindable;
  }

  partial(): PartialDocument | undefined {
    return this.#inner.partial();
  }

  tail(offset: number, length: number): Buffer {
    return this.#inner.tail(offset, length);
  }

  stored(octets: number): AsyncIterable<Buffer> {
    return this.#inner.stored(octets);
  }

  begin(document: DocumentIdentity, offset: number): void {
    this.#inner.begin(document, offset);
    this.#position = offset;
    // What this run has stored needn't be read again.
    if (this.#hash.octets !== offset) this.#hash = new DocumentHash(this.#expected);
  }

  /** Octets in any order are hashed at the end, where they are stored. */
  get scatter(): Destination["scatter"] {
    return this.#inner.scatter?.bind(this.#inner);
  }

  write(chunk: Buffer): void | Promise<void> {
    if (this.#isBehind) return this.#catchUp().then(() => this.write(chunk));
    this.#hash.update(chunk);
    this.#position += chunk.length;
    return this.#inner.write(chunk);
  }

  /** @throws FtpullError "integrity" when a checksum is another one; then nothing is kept */
  async finish(modified: Date | undefined): Promise<string> {
    if (this.#isBehind) await this.#catchUp();
    const difference = this.#hash.difference();
    const remains = this.rewindable ? "what arrived is removed" : `it is on ${this.label} already`;
    this.#forget();
    if (difference !== undefined) {
      await this.#inner.discard();
      throw new FtpullError("integrity", `${difference}: ${remains}`);
    }
    return this.#inner.finish(modified);
  }

  close(): Promise<number> {
    this.#forget();
    return this.#inner.close();
  }

  discard(): Promise<void> {
    this.#forget();
    return this.#inner.discard();
  }

  get #isBehind(): boolean {
    return this.#hash.octets !== this.#position;
  }

  /** Hashes what is here from an earlier run, which can be much and take its time. */
  async #catchUp(): Promise<void> {
    const hash = this.#hash;
    for await (const piece of this.#inner.stored(this.#position)) {
      if (this.#hash !== hash) throw new FtpullError("other", "the document was given up");
      hash.update(piece);
    }
    if (!this.#isBehind) return;
    const words = `expected ${this.#position} octets, found ${hash.octets}`;
    throw new FtpullError("file", `cannot read the beginning of "${this.label}": ${words}`);
  }

  #forget(): void {
    this.#hash = new DocumentHash(this.#expected);
    this.#position = 0;
  }
}
