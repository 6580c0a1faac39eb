/** A file as it arrives in one try: bytes that come twice are compared, the others converted and stored. */
import { FtpullError } from "../../errors.ts";
import type { Version } from "../../files/destination.ts";
import { textConverter, type Conversion, type TextConverter } from "../../text/line-ends.ts";
import { BeginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import { requireChecksum } from "../verify/verification.ts";
import type { Download } from "./download.ts";
import type { Beginning } from "./resume.ts";

/** os.EOL has the same value, but node:os takes time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

/** What a try begins with. Without `isInOrder` several connections bring blocks. */
interface Attempt {
  readonly download: Download;
  readonly tries: Tries;
  readonly version: Version;
  readonly beginning: Beginning;
  readonly conversion: Conversion;
  readonly isInOrder: boolean;
}

export class Incoming {
  readonly #attempt: Attempt;
  readonly #converter: TextConverter | undefined;
  /** Bytes that came again before their first copy: compared when no block is on its way. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  #octets: number;
  #isOpen = false;
  #hasNul = false;

  constructor(attempt: Attempt) {
    const { ebcdicEncoding } = attempt.download.rules;
    this.#attempt = attempt;
    this.#octets = attempt.beginning.offset;
    this.#converter = textConverter(attempt.conversion, lineEnd, ebcdicEncoding);
  }

  get version(): Version {
    return this.#attempt.version;
  }

  /** Position at which the try begins: the bytes before it are stored. */
  get offset(): number {
    return this.#attempt.beginning.offset;
  }

  /** Bytes of the server's file that are here, before a conversion. */
  get octets(): number {
    return this.#octets;
  }

  /** Compares bytes that came again. @throws BeginAgain if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    this.#open();
    const { output } = this.#attempt.download;
    if (this.#converter === undefined) return output.write(position, chunk);
    this.#hasNul ||= chunk.includes(0);
    return output.write(output.destination.octets, this.#converter.convert(chunk));
  }

  advance(octets: number): void {
    this.#octets += octets;
    this.#attempt.tries.advance(this.#octets);
  }

  /** Keeps the first bytes of blocks that came in any order. @throws BeginAgain if they don't fit together */
  cut(octets: number): void {
    if (!this.#isOpen) return;
    for (const overlap of this.#overlaps)
      if (overlap.start < octets) this.#requireEqual(overlap.start, overlap.octets);
    this.#attempt.download.output.destination.cut?.(octets);
  }

  /** Gives the whole file its name; returns its bytes. @throws BeginAgain, FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    const { output, rules, options } = this.#attempt.download;
    const { destination } = output;
    this.#open(); // An empty file, or one of which nothing was missing.
    const rest = this.#converter?.end();
    if (rest?.length) await output.write(destination.octets, rest);
    const stored = this.#converter === undefined ? this.#octets : destination.octets;
    await this.#verify(stored);
    const modified = this.version.modified ?? options.shown?.modified;
    await destination.publish(rules.keepsTime ? modified : undefined);
    this.#warnOfBinary();
    return stored;
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const { output, verification, options } = this.#attempt.download;
    const { url, size } = this.version;
    const { offset, dropped } = this.#attempt.beginning;
    // No run can resume a converted text, which is opened without size and time.
    const version = this.#converter === undefined ? this.version : { url };
    output.open(version, offset, this.#attempt.isInOrder, verification.checksums);
    if (dropped !== undefined) this.#attempt.tries.say(`${dropped}; beginning again`);
    const target = output.destination.label;
    this.#attempt.tries.begin({ url, target, size, offset, inTree: options.isInTree });
  }

  async #verify(octets: number): Promise<void> {
    const { output, verification, verifier } = this.#attempt.download;
    requireChecksum(verification);
    const { checksums } = verification;
    const difference = await output.difference(checksums, octets, this.#attempt.tries.observer);
    if (difference === undefined) return;
    const { destination } = output;
    const { label, rewindable } = destination;
    await destination.discard();
    if (rewindable && verifier.doubt(this.offset > 0)) throw new BeginAgain(difference);
    const words = rewindable ? difference : `${difference}; it is on ${label} already`;
    throw new FtpullError("integrity", words);
  }

  #requireEqual(start: number, octets: Buffer): void {
    const { destination } = this.#attempt.download.output;
    if (destination.tail(start + octets.length, octets.length).equals(octets)) return;
    const inOrder = "what is here is not the beginning of the server's file";
    throw new BeginAgain(
      this.#attempt.isInOrder ? inOrder : "the pieces of the file don't fit together",
    );
  }

  /** Line ends don't show a binary file: many servers send texts as they are. */
  #warnOfBinary(): void {
    if (!this.#hasNul || this.#attempt.conversion !== "ascii") return;
    const words = "it has NUL bytes and may not be a text: with ;type=i it is fetched unchanged";
    this.#attempt.tries.observer.warning(`${this.version.url}: ${words}`);
  }
}
