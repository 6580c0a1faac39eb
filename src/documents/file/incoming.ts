/** A file as it arrives in one try: bytes that come twice are compared, the others converted and stored. */
import { FtpullError } from "../../errors.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { textConverter, type Conversion, type TextConverter } from "../../text/line-ends.ts";
import { beginAgain } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import { requireChecksum } from "../verify/verification.ts";
import { exactTime } from "./facts.ts";
import type { Output } from "./output.ts";
import type { Beginning } from "./resume.ts";

/** os.EOL has the same value, but node:os takes time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

/** The bytes that a try brings. Without `isInOrder` several connections bring blocks. */
interface Bytes {
  readonly facts: Facts;
  readonly beginning: Beginning;
  readonly conversion: Conversion;
  readonly isInOrder: boolean;
}

export class Incoming {
  readonly facts: Facts;
  /** Position at which the try begins: the bytes before it are stored. */
  readonly offset: number;
  /** Bytes of the server's file that are here, before a conversion. */
  octets: number;
  readonly #output: Output;
  readonly #tries: Tries;
  readonly #bytes: Bytes;
  readonly #converter: TextConverter | undefined;
  /** Bytes that came again before their first copy: compared when no block is on its way. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  #isOpen = false;

  constructor(output: Output, tries: Tries, bytes: Bytes) {
    const { ebcdicEncoding } = output.download.rules;
    this.#output = output;
    this.#tries = tries;
    this.#bytes = bytes;
    this.facts = bytes.facts;
    this.offset = bytes.beginning.offset;
    this.octets = this.offset;
    this.#converter = textConverter(bytes.conversion, lineEnd, ebcdicEncoding);
  }

  /** Compares bytes that came again. @throws "begin again" if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    const opening = this.#open();
    return opening
      ? opening.then(() => this.#store(position, chunk))
      : this.#store(position, chunk);
  }

  #store(position: number, chunk: Buffer): void | Promise<void> {
    if (this.#converter === undefined) return this.#output.write(position, chunk);
    const { octets } = this.#output.destination;
    return this.#output.write(octets, this.#converter.convert(chunk));
  }

  advance(octets: number): void {
    this.octets += octets;
    this.#tries.advance(this.octets);
  }

  /** Keeps the first bytes of blocks that came in any order. @throws "begin again" if they don't fit together */
  cut(octets: number): void {
    if (!this.#isOpen) return;
    for (const overlap of this.#overlaps) {
      const stored = Math.max(0, octets - overlap.start);
      this.#requireEqual(overlap.start, overlap.octets.subarray(0, stored));
    }
    this.#output.destination.cut?.(octets);
  }

  /** Gives the whole file its name; returns its bytes. @throws "begin again", FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    const { destination, download } = this.#output;
    await this.#open(); // An empty file, or one of which nothing was missing.
    const rest = this.#converter?.end();
    if (rest?.length) await this.#output.write(destination.octets, rest);
    const stored = this.#converter === undefined ? this.octets : destination.octets;
    await this.#verify(stored);
    destination.publish(download.rules.keepsTime ? this.facts.modified : undefined);
    return stored;
  }

  #open(): void | Promise<void> {
    if (this.#isOpen) return;
    const { document, isInTree: inTree } = this.#output.download;
    const { shownUrl: url } = document;
    const { offset, dropped } = this.#bytes.beginning;
    const { size } = this.facts;
    // No run can resume a converted text, which is opened without size and time.
    const facts = this.#converter === undefined ? { size, modified: exactTime(this.facts) } : {};
    const opening = this.#output.open({ url, ...facts }, offset, this.#bytes.isInOrder);
    this.#isOpen = true;
    if (dropped !== undefined) this.#tries.say(`${dropped}; beginning again`);
    const target = this.#output.destination.label;
    this.#tries.begin({ url, target, size, offset, inTree });
    return opening;
  }

  async #verify(octets: number): Promise<void> {
    const { destination, download } = this.#output;
    const { verifier } = download;
    requireChecksum(verifier.known);
    const difference = await this.#output.difference(octets);
    if (difference === undefined) return;
    const { label, rewindable } = destination; // before it is emptied
    destination.discard();
    if (rewindable && verifier.doubt(this.offset > 0)) throw beginAgain(difference);
    const words = rewindable ? difference : `${difference}; it is on ${label} already`;
    throw new FtpullError("integrity", words);
  }

  #requireEqual(start: number, octets: Buffer): void {
    const { destination } = this.#output;
    if (destination.tail(start + octets.length, octets.length).equals(octets)) return;
    const inOrder = "what is here is not the beginning of the server's file";
    throw beginAgain(this.#bytes.isInOrder ? inOrder : "the pieces of the file don't fit together");
  }
}
