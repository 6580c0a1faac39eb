/** A document on its way to its destination: missing octets, octets that come twice, checksums. */
import { DocumentHash } from "../../checksums/document-hash.ts";
import { clockMs } from "../../clock.ts";
import { FtpullError } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import { type Gap, missingBehind, unknownEnd } from "../../files/gaps.ts";
import { textConverter, type Conversion, type TextConverter } from "../../text/line-ends.ts";
import type { Tries } from "../task-tries.ts";
import { BeginAgain } from "../retry.ts";
import { Ranges } from "../segments/ranges.ts";
import type { Download } from "./download.ts";
import { receivedMore } from "./resume.ts";
import { sayReading } from "./timestamping.ts";

const saveMs = 1000;

/** os.EOL has the same value, but node:os takes time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

export interface Outstanding {
  readonly missing: readonly Gap[];
  /** Most connections at once; undefined: the octets come in order. */
  readonly connections?: number | undefined;
  readonly conversion?: Conversion;
}

export class DocumentFile {
  readonly version: Version;
  readonly ranges: Ranges;
  readonly connections: number | undefined;
  readonly download: Download;
  readonly tries: Tries;
  readonly #isResumed: boolean;
  readonly #converter: TextConverter | undefined;
  readonly #conversion: Conversion;
  /** Octets that came again before their first copy: compared at the end. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  isOpen = false;
  openedAt: number | undefined;
  #hasNul = false;
  #savedAt = 0;

  constructor(version: Version, outstanding: Outstanding, download: Download, tries: Tries) {
    const { missing, connections, conversion = "none" } = outstanding;
    this.version = version;
    this.ranges = new Ranges(missing, connections ?? 1);
    this.download = download;
    this.tries = tries;
    this.connections = connections;
    this.#isResumed = missing[0]?.[0] !== 0;
    this.#conversion = conversion;
    this.#converter = textConverter(conversion, lineEnd, download.rules.ebcdicEncoding);
  }

  get octets(): number {
    return this.end - this.ranges.left;
  }

  get end(): number {
    return this.version.size ?? unknownEnd;
  }

  /** Called once the first octet has come, or an empty document has ended. */
  open(): void {
    const { destination, options, start } = this.download;
    const { url, size } = this.version;
    this.#openDestination();
    this.isOpen = true;
    this.openedAt = this.octets;
    const { label: target, dropped = 0 } = destination;
    if (start === "first" && dropped > 0)
      this.tries.say(`beginning at 0 without -c: ${dropped} octets of an earlier run are dropped`);
    this.#goOnHashing();
    this.tries.begin({ url, target, size, offset: this.openedAt, inTree: options.isInTree });
  }

  #openDestination(): void {
    const { destination } = this.download;
    const { url } = this.version;
    // No run can resume a converted text, which is opened without size and time.
    if (this.#converter !== undefined) destination.open({ url }, missingBehind(0));
    else destination.open(this.version, this.ranges.missing, this.connections === undefined);
  }

  #goOnHashing(): void {
    const { verification, hash } = this.download;
    const isHashedSoFar = hash?.octets === (this.ranges.missing[0]?.[0] ?? this.end);
    if (verification.checksums.length > 0 && !isHashedSoFar)
      this.download.hash = new DocumentHash(verification.checksums);
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#converter === undefined) return this.#store(position, chunk);
    this.#hasNul ||= chunk.includes(0);
    return this.#store(this.download.destination.octets, this.#converter.convert(chunk));
  }

  written(): void {
    this.tries.advance(this.octets);
    if (clockMs() - this.#savedAt > saveMs) this.#save();
  }

  /** Compares octets that came again, of a transfer that was to begin at `transferStart`. */
  compare(start: number, octets: Buffer, transferStart: number): void {
    if (!this.ranges.has(start, start + octets.length))
      return void this.#overlaps.push({ start, octets: Buffer.from(octets) });
    const { plainFile } = this.download;
    if (this.#isHere(start, octets)) return plainFile?.noteEqual(start + octets.length);
    // If these are the file's first octets, the server has answered 350 to REST and begun at 0.
    if (plainFile !== undefined && start < plainFile.octets)
      plainFile.check(start - transferStart, octets);
    throw this.#isNoBeginning();
  }

  /** More octets came than SIZE said. @throws unless the document may grow, as its time has to show */
  checkMayGrow(): void {
    const { growth, beforeGrowth } = this.download;
    // This happens with a server that answers 350 to REST and begins at 0.
    if (this.connections !== undefined || (this.#isResumed && beforeGrowth === undefined))
      throw new BeginAgain(`the server sent more than ${this.end} octets`);
    if (this.end === 0) return; // servers give a size of 0 for files that they make while they send them
    if (growth === "excluded" || this.version.modified === undefined) throw receivedMore(this.end);
  }

  /** Returns the number of octets. @throws BeginAgain, FtpullError "file", "integrity" */
  async publish({ givesTime = true } = {}): Promise<number> {
    const { destination, rules } = this.download;
    const rest = this.#converter?.end();
    if (rest?.length) await this.#store(destination.octets, rest);
    for (const { start, octets } of this.#overlaps)
      if (!this.#isHere(start, octets)) throw this.#isNoBeginning();
    this.isOpen = false;
    const stored = this.#converter === undefined ? this.octets : destination.octets;
    this.tries.advance(stored);
    this.download.plainFile?.checkLength(stored);
    await this.#verify(stored);
    await destination.publish(givesTime && rules.keepsTime ? this.version.modified : undefined);
    this.#warnOfBinary();
    return stored;
  }

  /** Line ends don't show a binary file: many servers send texts as they are. */
  #warnOfBinary(): void {
    if (!this.#hasNul || this.#conversion !== "ascii") return;
    const words = "it has NUL octets and may not be a text: with ;type=i it is fetched unchanged";
    this.tries.observer.warning(`${this.version.url}: ${words}`);
  }

  close(): void {
    if (!this.isOpen) return;
    // A disk that fills up takes a part of the last chunk.
    if (this.connections === undefined) this.tries.advance(this.download.destination.octets);
    try {
      this.#save();
    } catch {
      // The older state that stays claims less than is stored, never more.
    }
  }

  async #verify(octets: number): Promise<void> {
    const { destination, verification } = this.download;
    const { hash = new DocumentHash(verification.checksums) } = this.download;
    this.download.hash = undefined;
    verification.requireChecksum();
    if (verification.checksums.length === 0) return;
    sayReading(destination.label, octets - hash.octets, this.tries.observer);
    const difference = await hash.differenceIn(destination, octets);
    if (difference === undefined) return;
    const { label, rewindable } = destination;
    if (rewindable && verification.mayBeMended(difference, this.#isResumed))
      throw new BeginAgain(difference, { keepsOctets: false });
    await destination.discard();
    const remains = rewindable ? "what arrived is removed" : `it is on ${label} already`;
    throw new FtpullError("integrity", `${difference}: ${remains}`);
  }

  #store(position: number, chunk: Buffer): void | Promise<void> {
    const { hash, destination, plainFile } = this.download;
    plainFile?.check(position, chunk);
    if (position === hash?.octets) hash.update(chunk);
    return destination.writeAt(position, chunk);
  }

  #save(): void {
    if (this.connections === undefined) return;
    const { missing } = this.ranges;
    // The last octet stays missing, so that the next try gets a 226.
    const last: Gap = [this.end - 1, this.end];
    this.download.destination.save?.(missing.length > 0 ? missing : [last]);
    this.#savedAt = clockMs();
  }

  #isHere(start: number, octets: Buffer): boolean {
    return this.download.destination.tail(start + octets.length, octets.length).equals(octets);
  }

  #isNoBeginning(): BeginAgain {
    const inOrder = "what is here is not the beginning of the document";
    const inPieces = "the pieces of the document don't fit together";
    return new BeginAgain(this.connections === undefined ? inOrder : inPieces);
  }
}
