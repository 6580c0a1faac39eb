/** Where a file's bytes go, over all its tries: the destination, the hash of what is stored, and where it began. */
import { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, PartialDocument, Version } from "../../files/destination.ts";
import type { Download } from "./download.ts";

export class Output {
  readonly download: Download;
  readonly destination: Destination;
  mostConnections: number;
  /** Bytes of an earlier run that this one goes on behind; undefined before data comes. */
  resumed: number | undefined;
  #hash: DocumentHash | undefined;
  #beginsAgain = false;

  constructor(download: Download) {
    const { path, rules } = download;
    this.download = download;
    this.destination = rules.destinationFor(path);
    this.mostConnections = rules.segments;
  }

  /** Chooses the destination's name; returns the stored bytes, unless the next ones are to replace them. */
  choose(now: Version): PartialDocument | undefined {
    const stored = this.destination.choose(now);
    if (stored?.other !== undefined) this.mostConnections = 1; // Its origin isn't known.
    return this.#beginsAgain ? undefined : stored;
  }

  /** Called once data has come: a refused transfer leaves what is stored as it is. */
  open(version: Version, offset: number, isInOrder: boolean): void | Promise<void> {
    const { checksums } = this.download.verifier.known;
    const opened = this.destination.open(version, offset, isInOrder);
    this.#beginsAgain = false;
    this.resumed ??= offset;
    if (checksums.length > 0 && this.#hash?.octets !== offset)
      this.#hash = new DocumentHash(checksums);
    return opened;
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    if (position === this.#hash?.octets) this.#hash.update(chunk);
    return this.destination.writeAt(position, chunk);
  }

  /** The first checksum that the stored bytes don't have, in words. */
  async difference(octets: number): Promise<string | undefined> {
    const hash = this.#hash;
    this.#hash = undefined;
    return hash?.differenceIn(this.destination, octets);
  }

  /** Has the next data replace what is stored; false where that can't be done. */
  beginAgain(): boolean {
    if (!this.destination.rewindable) return false;
    this.#beginsAgain = true;
    this.resumed = 0;
    this.mostConnections = 1; // Blocks that don't fit together may be of several files.
    return true;
  }
}
