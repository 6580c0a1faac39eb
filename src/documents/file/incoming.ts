/**
 * A file on its way to its destination, over all its tries: bytes that come twice are compared, the others hashed
 * and stored, and the whole file is verified before it gets its name.
 */
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import type { Destination, Stored, Version } from "../../files/destination.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { beginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import type { Download } from "./download.ts";
import type { Beginning } from "./resume.ts";

/** One try. Without `isInOrder` several connections bring blocks. */
interface Attempt {
  readonly facts: Facts;
  readonly version: Version;
  readonly beginning: Beginning;
  readonly isInOrder: boolean;
  readonly tries: Tries;
}

export class Incoming {
  readonly download: Download;
  readonly destination: Destination;
  /** Connections that the next try may use. */
  mostConnections: number;
  /** Bytes of an earlier run that this one goes on behind; undefined before data comes. */
  resumed: number | undefined;
  /** Bytes of the file that are here. */
  octets = 0;
  #attempt!: Attempt;
  #isOpen = false;
  #beginsAgain = false;
  #hash: DocumentHash | undefined;
  /** Bytes that came again before their first copy: compared when no block is on its way. */
  #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];

  constructor(download: Download) {
    const { path, rules } = download;
    this.download = download;
    this.destination = rules.destinationFor(path);
    this.mostConnections = rules.segments;
  }

  get facts(): Facts {
    return this.#attempt.facts;
  }

  /** Position at which the try begins: the bytes before it are stored. */
  get offset(): number {
    return this.#attempt.beginning.offset;
  }

  /** Chooses the destination's name; returns the stored bytes, unless the next ones are to replace them. */
  choose(version: Version): Stored | undefined {
    const stored = this.destination.choose(version);
    if (stored?.other !== undefined) this.mostConnections = 1; // Its origin isn't known.
    return this.#beginsAgain ? undefined : stored;
  }

  /** Begins a try; the destination stays as it is until data comes. */
  begin(attempt: Attempt): void {
    this.#attempt = attempt;
    this.octets = this.offset;
    this.#isOpen = false;
    this.#overlaps = [];
  }

  /** Compares bytes that came again. @throws "begin again" if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    const store = (): void | Promise<void> => {
      if (position === this.#hash?.octets) this.#hash.update(chunk);
      return this.destination.writeAt(position, chunk);
    };
    const opening = this.#open();
    return opening ? opening.then(store) : store();
  }

  advance(octets: number): void {
    this.octets += octets;
    this.#attempt.tries.advance(this.octets);
  }

  /** Keeps the first bytes of blocks that came in any order. @throws "begin again" if they don't fit together */
  cut(octets: number): void {
    if (!this.#isOpen) return;
    for (const overlap of this.#overlaps) {
      const stored = Math.max(0, octets - overlap.start);
      this.#requireEqual(overlap.start, overlap.octets.subarray(0, stored));
    }
    this.destination.cut?.(octets);
  }

  /** Gives the whole file its name; returns its bytes. @throws "begin again", FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    const { destination, download } = this;
    await this.#open(); // An empty file, or one of which nothing was missing.
    const { octets } = destination;
    await this.#verify(octets);
    destination.publish(download.rules.keepsTime ? this.facts.modified : undefined);
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

  /** Called once data has come: a refused transfer leaves what is stored as it is. */
  #open(): void | Promise<void> {
    if (this.#isOpen) return;
    const { version, beginning, isInOrder, tries } = this.#attempt;
    const { verifier, isInTree: inTree } = this.download;
    const { offset, dropped } = beginning;
    const { url } = version;
    const { checksums } = verifier;
    const opening = this.destination.open(version, offset, isInOrder);
    this.#isOpen = true;
    this.#beginsAgain = false;
    this.resumed ??= offset;
    if (checksums.length > 0 && this.#hash?.octets !== offset)
      this.#hash = new DocumentHash(checksums);
    if (dropped !== undefined) tries.say(`${dropped}; beginning again`);
    tries.begin({ url, target: this.destination.label, size: this.facts.size, offset, inTree });
    return opening;
  }

  async #verify(octets: number): Promise<void> {
    const { destination } = this;
    const { verifier } = this.download;
    verifier.require();
    const difference = await this.#hash?.differenceIn(destination, octets);
    this.#hash = undefined;
    if (difference === undefined) return;
    const { label, rewindable } = destination; // before it is emptied
    destination.discard();
    if (rewindable && verifier.doubt(this.offset > 0)) throw beginAgain(difference);
    const words = rewindable ? difference : `${difference}; it is on ${label} already`;
    throw new FtpullError("integrity", words);
  }

  #requireEqual(start: number, octets: Buffer): void {
    if (this.destination.tail(start + octets.length, octets.length).equals(octets)) return;
    const inOrder = "what is here is not the beginning of the server's file";
    throw beginAgain(
      this.#attempt.isInOrder ? inOrder : "the pieces of the file don't fit together",
    );
  }
}
