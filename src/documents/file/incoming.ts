/** A file on its way to its destination, over all its tries: what is stored, hashed and verified, and gets its name. */
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import type { Destination, Stored, Version } from "../../files/destination.ts";
import { beginAgain } from "../retry.ts";
import type { Download } from "./download.ts";

export class Incoming {
  readonly download: Download;
  readonly destination: Destination;
  /** Connections that the next try may use. */
  mostConnections: number;
  /** Bytes of an earlier run that this one goes on behind; undefined before data comes. */
  resumed: number | undefined;
  #beginsAgain = false;
  #hash: DocumentHash | undefined;

  constructor(download: Download) {
    const { path, rules } = download;
    this.download = download;
    this.destination = rules.destinationFor(path);
    this.mostConnections = rules.segments;
  }

  /** Chooses the destination's name; returns the stored bytes, unless the next ones are to replace them. */
  choose(version: Version): Stored | undefined {
    const stored = this.destination.choose(version);
    if (stored?.other !== undefined) this.mostConnections = 1; // Its origin isn't known.
    return this.#beginsAgain ? undefined : stored;
  }

  /** Called in each try when data has come. */
  open(version: Version, offset: number, isInOrder: boolean): void | Promise<void> {
    const { checksums } = this.download.verifier;
    const opening = this.destination.open(version, offset, isInOrder);
    this.#beginsAgain = false;
    this.resumed ??= offset;
    if (checksums.length > 0 && this.#hash?.octets !== offset)
      this.#hash = new DocumentHash(checksums);
    return opening;
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    if (position === this.#hash?.octets) this.#hash.update(chunk);
    return this.destination.writeAt(position, chunk);
  }

  /** @throws "begin again", FtpullError "file", "integrity" */
  async publish(modified: Date | undefined, isResumed: boolean): Promise<number> {
    const { octets } = this.destination;
    await this.#verify(octets, isResumed);
    this.destination.publish(this.download.rules.keepsTime ? modified : undefined);
    return octets;
  }

  /** Has the next data replace what is stored; false where that can't be done. */
  beginAgain(): boolean {
    if (!this.destination.rewindable) return false;
    this.#beginsAgain = true;
    this.resumed = 0;
    this.mostConnections = 1; // Blocks that don't fit together may be of several files.
    return true;
  }

  async #verify(octets: number, isResumed: boolean): Promise<void> {
    const { destination } = this;
    const { verifier } = this.download;
    verifier.require();
    const difference = await this.#hash?.differenceIn(destination, octets);
    this.#hash = undefined;
    if (difference === undefined) return;
    const { label, rewindable } = destination; // before it is emptied
    destination.discard();
    if (rewindable && verifier.doubt(isResumed)) throw beginAgain(difference);
    const words = rewindable ? difference : `${difference}; it is on ${label} already`;
    throw new FtpullError("integrity", words);
  }
}
