/** A document on its way to its destination, in one try: octets that come twice, conversion, checksums. */
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import { noBeginning } from "../../files/file-error.ts";
import { textConverter, type Conversion, type TextConverter } from "../../text/line-ends.ts";
import type { Tries } from "../task-tries.ts";
import { BeginAgain } from "../retry.ts";
import { requireChecksum } from "../verify/verification.ts";
import type { Download } from "./download.ts";
import { sayReading } from "./timestamping.ts";

/** os.EOL has the same value, but node:os takes time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

export interface Try {
  readonly version: Version;
  /** Octets that were stored before; `isUsers` if the file that has them may be the user's own. */
  readonly offset: number;
  readonly isUsers: boolean;
  readonly conversion: Conversion;
  /** Most connections at once; undefined: the octets come in order. */
  readonly connections?: number | undefined;
}

export class DocumentFile {
  readonly version: Version;
  readonly offset: number;
  readonly download: Download;
  readonly tries: Tries;
  readonly isUsers: boolean;
  readonly #isInOrder: boolean;
  readonly #converter: TextConverter | undefined;
  readonly #conversion: Conversion;
  /** Octets that came again before their first copy: compared at the end. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  /** Octets of the document that have arrived, before a conversion. */
  octets: number;
  isOpen = false;
  #hasNul = false;

  constructor(given: Try, download: Download, tries: Tries) {
    const { version, offset, isUsers, conversion, connections } = given;
    this.version = version;
    this.offset = offset;
    this.isUsers = isUsers;
    this.octets = offset;
    this.download = download;
    this.tries = tries;
    this.#isInOrder = connections === undefined;
    this.#conversion = conversion;
    this.#converter = textConverter(conversion, lineEnd, download.rules.ebcdicEncoding);
  }

  /** Compares octets that came again. @throws if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    this.#open();
    if (this.#converter === undefined) return this.#store(position, chunk);
    this.#hasNul ||= chunk.includes(0);
    return this.#store(this.download.destination.octets, this.#converter.convert(chunk));
  }

  advance(octets: number): void {
    this.octets += octets;
    this.tries.advance(this.octets);
  }

  /** Returns the number of octets. @throws BeginAgain, FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    const { destination, rules } = this.download;
    this.#open(); // An empty document, or one of which only the end was missing.
    const rest = this.#converter?.end();
    if (rest?.length) await this.#store(destination.octets, rest);
    for (const { start, octets } of this.#overlaps) this.#requireEqual(start, octets);
    const stored = this.#converter === undefined ? this.octets : destination.octets;
    this.tries.advance(stored);
    await this.#verify(stored);
    await destination.publish(rules.keepsTime ? this.version.modified : undefined);
    this.#warnOfBinary();
    return stored;
  }

  /** Called once the first octet has come: a refused transfer leaves nothing. */
  #open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    const { destination, options } = this.download;
    const { version, offset, tries } = this;
    const { url, size } = version;
    // No run can resume a converted text, which is opened without size and time.
    destination.open(this.#converter === undefined ? version : { url }, offset, this.#isInOrder);
    this.download.resumed ??= offset;
    this.#goOnHashing();
    tries.begin({ url, target: destination.label, size, offset, inTree: options.isInTree });
  }

  #goOnHashing(): void {
    const { verification, hash } = this.download;
    if (verification.checksums.length > 0 && hash?.octets !== this.offset)
      this.download.hash = new DocumentHash(verification.checksums);
  }

  /** Line ends don't show a binary file: many servers send texts as they are. */
  #warnOfBinary(): void {
    if (!this.#hasNul || this.#conversion !== "ascii") return;
    const words = "it has NUL octets and may not be a text: with ;type=i it is fetched unchanged";
    this.tries.observer.warning(`${this.version.url}: ${words}`);
  }

  async #verify(octets: number): Promise<void> {
    const { destination, verification } = this.download;
    const { hash = new DocumentHash(verification.checksums) } = this.download;
    this.download.hash = undefined;
    requireChecksum(verification);
    if (verification.checksums.length === 0) return;
    sayReading(destination.label, octets - hash.octets, this.tries.observer);
    const difference = await hash.differenceIn(destination, octets);
    if (difference === undefined) return;
    const { label, rewindable } = destination;
    if (rewindable && this.download.verifier.doubt(this.offset > 0))
      throw new BeginAgain(difference);
    await destination.discard();
    const remains = rewindable ? "what arrived is removed" : `it is on ${label} already`;
    throw new FtpullError("integrity", `${difference}: ${remains}`);
  }

  #store(position: number, chunk: Buffer): void | Promise<void> {
    const { hash, destination } = this.download;
    if (position === hash?.octets) hash.update(chunk);
    return destination.writeAt(position, chunk);
  }

  #requireEqual(start: number, octets: Buffer): void {
    const { destination } = this.download;
    if (destination.tail(start + octets.length, octets.length).equals(octets)) return;
    if (this.isUsers) throw noBeginning();
    const inOrder = "what is here is not the beginning of the document";
    const inPieces = "the pieces of the document don't fit together";
    throw new BeginAgain(this.#isInOrder ? inOrder : inPieces);
  }
}
