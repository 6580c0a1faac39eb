/** Where a file's bytes go, over all its tries: the destination, the hash of what is stored, and where it began. */
import type { Checksum } from "../../checksums/checksum.ts";
import { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, PartialDocument, Version } from "../../files/destination.ts";
import type { Observer } from "../events.ts";
import { sayReading } from "./timestamping.ts";

export class Output {
  readonly destination: Destination;
  #hash: DocumentHash | undefined;
  #resumed: number | undefined;
  #mostConnections: number;
  #beginsAgain = false;

  constructor(destination: Destination, mostConnections: number) {
    this.destination = destination;
    this.#mostConnections = mostConnections;
  }

  get mostConnections(): number {
    return this.#mostConnections;
  }

  /** Bytes of an earlier run that this one goes on behind; undefined before data has come. */
  get resumed(): number | undefined {
    return this.#resumed;
  }

  /** The stored bytes to go on behind, if they are of the file that the server has now. */
  partial(now: Version): PartialDocument | undefined {
    return this.#beginsAgain ? undefined : this.destination.partial(now);
  }

  /** Called once data has come: a refused transfer leaves what is stored as it is. */
  open(version: Version, offset: number, isInOrder: boolean, checksums: readonly Checksum[]): void {
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
  async difference(checksums: readonly Checksum[], octets: number, observer: Observer) {
    const hash = this.#hash ?? new DocumentHash(checksums);
    this.#hash = undefined;
    if (checksums.length === 0) return undefined;
    sayReading(this.destination.label, octets - hash.octets, observer);
    return hash.differenceIn(this.destination, octets);
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
