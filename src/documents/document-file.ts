/**
 * A document on its way into its destination, in one range or in several: what is missing of it,
 * whether octets that come twice are the same, and whether it has the checksums that it should have.
 */
import { DocumentHash, verify } from "../checksums/document-hash.ts";
import { FtpullError } from "../errors.ts";
import type { DocumentIdentity } from "../files/destination.ts";
import { type Gap, missingBehind, unknownEnd } from "../files/gaps.ts";
import { textConverter, type Conversion, type TextConverter } from "../text/line-ends.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { Job } from "./job.ts";
import { withEnd } from "./resume.ts";
import { BeginAgain } from "./retry.ts";
import { Ranges } from "./segments/ranges.ts";

/** How often a run saves what it can go on with after a kill, where octets come in several ranges. */
const saveMs = 1000;

/** node:os has it as EOL, and takes its time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

export class DocumentFile {
  readonly document: DocumentIdentity;
  readonly ranges: Ranges;
  readonly #job: Job;
  readonly #state: AttemptState;
  readonly #isInOrder: boolean;
  readonly #isResumed: boolean;
  readonly #converter: TextConverter | undefined;
  /** Octets before a range that came again before they came at all: compared in the end. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  #isOpen = false;
  /** How many octets of a converted text are stored. */
  #converted = 0;
  #savedAt = 0;

  /** `parts` tells into how many ranges to divide what is missing; without it, octets come in order. */
  constructor(
    document: DocumentIdentity,
    missing: readonly Gap[],
    job: Job,
    state: AttemptState,
    { parts, conversion = "none" }: { parts?: number; conversion?: Conversion },
  ) {
    this.document = document;
    this.ranges = new Ranges(missing, parts ?? 1);
    this.#job = job;
    this.#state = state;
    this.#isInOrder = parts === undefined;
    this.#isResumed = missing[0]?.[0] !== 0;
    this.#converter = textConverter(conversion, lineEnd, job.ebcdicEncoding);
  }

  /** How many octets have come, those of earlier tries included. */
  get octets(): number {
    return this.end - this.ranges.left;
  }

  /** The first octet behind the document. */
  get end(): number {
    return this.document.size ?? unknownEnd;
  }

  /** The first octets have come, or the document is empty. Nothing is touched before. */
  open(): void {
    if (this.#isOpen) return;
    const { destination, shownUrl: url, expected } = this.#job;
    const { missing } = this.ranges;
    const first = missing[0]?.[0] ?? this.end;
    if (this.#converter === undefined) destination.open(this.document, missing);
    // What a converted text leaves behind is no beginning of the document.
    else destination.open({ url, size: undefined, modified: undefined }, missingBehind(0));
    this.#isOpen = true;
    this.#state.anew = false;
    if (!this.#isInOrder) this.#save();
    // What this run has stored needn't be read again.
    if (expected.length > 0 && this.#state.hash?.octets !== first)
      this.#state.hash = new DocumentHash(expected);
    const [{ label: target }, { size }] = [destination, this.document];
    this.#state.begin({ url, target, size, offset: this.octets });
  }

  /** Stores octets of the document. @throws FtpullError "file" */
  write(position: number, chunk: Buffer): void | Promise<void> {
    if (!this.#isOpen) this.open();
    if (this.#converter !== undefined) return this.#append(this.#converter.convert(chunk));
    return this.#store(position, chunk);
  }

  /** Octets of a range were written. @throws FtpullError "file" */
  written(): void {
    this.#state.advance(this.octets);
    if (!this.#isInOrder && performance.now() - this.#savedAt > saveMs) this.#save();
  }

  /**
   * Compares octets that came again with those that are stored, now or in the end.
   * @throws BeginAgain when they differ
   */
  compare(start: number, octets: Buffer): void {
    if (this.ranges.has(start, start + octets.length)) this.#compare(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  /** The failure of a server that sent more than the document's size. */
  tooLong(): FtpullError {
    const { size } = this.document;
    // A server that answered 350 to REST and began at 0 comes here sooner or later.
    if (!this.#isInOrder) return new BeginAgain(`the server sent more than ${size} octets`);
    if (this.#isResumed) return new BeginAgain("the server sent more than was left");
    return new FtpullError("integrity", `expected ${size} octets, received more`, {
      transient: true,
    });
  }

  /** All octets have come: puts the file in its place. @throws BeginAgain, FtpullError "file", "integrity" */
  async publish(): Promise<void> {
    const { destination, keepsTime } = this.#job;
    const rest = this.#converter?.end();
    if (rest !== undefined && rest.length > 0) await this.#append(rest);
    for (const { start, octets } of this.#overlaps) this.#compare(start, octets);
    this.#isOpen = false; // nothing more is to be saved
    const { hash } = this.#state;
    this.#state.hash = undefined;
    const stored = this.#converter === undefined ? this.octets : this.#converted;
    if (hash !== undefined) await verify(hash, stored, destination);
    await destination.publish(keepsTime ? this.document.modified : undefined);
  }

  /** Nothing more comes in this try; what is missing of a file that isn't published is saved for the next one. */
  close(): void {
    try {
      if (this.#isOpen) this.#save();
    } catch {
      // An older state tells of less than is here, and of nothing that isn't.
    }
  }

  #append(converted: Buffer): void | Promise<void> {
    this.#converted += converted.length;
    return this.#store(this.#converted - converted.length, converted);
  }

  #store(position: number, chunk: Buffer): void | Promise<void> {
    const { hash } = this.#state;
    if (position === hash?.octets) hash.update(chunk);
    return this.#job.destination.writeAt(position, chunk);
  }

  #save(): void {
    this.#job.destination.save?.(withEnd(this.ranges.missing, this.end));
    this.#savedAt = performance.now();
  }

  #compare(start: number, octets: Buffer): void {
    const here = this.#job.destination.tail(start + octets.length, octets.length);
    if (here.equals(octets)) return;
    throw new BeginAgain(
      this.#isInOrder
        ? "what is here is not the beginning of the document"
        : "the pieces of the document don't fit together",
    );
  }
}
