/** Where a file's bytes go, over all its tries: the destination, the hash of what is stored, and where it began. */
import type { Checksum } from "../../checksums/checksum.ts";
import { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, PartialDocument, Version } from "../../files/destination.ts";
import type { Download } from "./download.ts";

export class Output {
  readonly download: Download;
  readonly destination: Destination;
  #hash: DocumentHash | undefined;
  #resumed: number | undefined;
  #mostConnections: number;
  #beginsAgain = false;
  #continuesOther = false;

  constructor(download: Download) {
    const { path, rules } = download;
    this.download = download;
    this.destination = rules.destinationFor(path);
    this.#mostConnections = rules.segments;
  }

  get mostConnections(): number {
    return this.#mostConnections;
  }

  /** Bytes of an earlier run that this one goes on behind. */
  get resumed(): number {
    return this.#resumed ?? 0;
  }

  /** The stored bytes to go on behind, if they are of the file that the server has now. */
  partial(now: Version): PartialDocument | undefined {
    if (this.#beginsAgain) return undefined;
    const partial = this.destination.partial(now);
    this.#continuesOther ||= partial?.inPlace !== undefined;
    return partial;
  }

  /** True if -c goes on behind another program's file, which no other bytes may replace, in any try. */
  get continuesOther(): boolean {
    return this.#continuesOther;
  }

  /** Called once data has come: a refused transfer leaves what is stored as it is. */
  open(version: Version, offset: number, isInOrder: boolean): void {
    const { checksums } = this.download.verifier.known;
    this.destination.open(version, offset, isInOrder);
    this.#beginsAgain = false;
    this.#resumed ??= offset;
    if (checksums.length > 0 && this.#hash?.octets !== offset)
      this.#hash = new DocumentHash(checksums);
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    if (position === this.#hash?.octets) this.#hash.update(chunk);
    return this.destination.writeAt(position, chunk);
  }

  /** The first checksum that the stored bytes don't have, in words. */
  async difference(checksums: readonly Checksum[], octets: number): Promise<string | undefined> {
    const hash = this.#hash ?? new DocumentHash(checksums);
    this.#hash = undefined;
    return checksums.length === 0 ? undefined : hash.differenceIn(this.destination, octets);
  }

  /** Has the next data replace what is stored; false where that can't be done. */
  beginAgain(): boolean {
    if (!this.destination.rewindable) return false;
    this.#beginsAgain = true;
    this.#resumed = 0;
    this.#mostConnections = 1; // Blocks that don't fit together may be of several files.
    return true;
  }
}
