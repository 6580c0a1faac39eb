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

export class Incoming {
  readonly version: Version;
  readonly beginning: Beginning;
  readonly #download: Download;
  readonly #tries: Tries;
  readonly #conversion: Conversion;
  readonly #converter: TextConverter | undefined;
  readonly #isInOrder: boolean;
  /** Bytes that came again before their first copy: compared when no block is on its way. */
  readonly #overlaps: { readonly start: number; readonly octets: Buffer }[] = [];
  #octets: number;
  #isOpen = false;
  #hasNul = false;

  constructor(
    download: Download,
    version: Version,
    beginning: Beginning,
    conversion: Conversion,
    isInOrder: boolean,
    tries: Tries,
  ) {
    this.version = version;
    this.beginning = beginning;
    this.#octets = beginning.offset;
    this.#download = download;
    this.#tries = tries;
    this.#conversion = conversion;
    this.#converter = textConverter(conversion, lineEnd, download.rules.ebcdicEncoding);
    this.#isInOrder = isInOrder;
  }

  /** Bytes of the server's file that are here, before a conversion. */
  get octets(): number {
    return this.#octets;
  }

  /** Compares bytes that came again. @throws BeginAgain if they differ */
  compare(start: number, octets: Buffer): void {
    const isStored = start + octets.length <= this.beginning.offset;
    if (isStored) this.#requireEqual(start, octets);
    else this.#overlaps.push({ start, octets: Buffer.from(octets) });
  }

  write(position: number, chunk: Buffer): void | Promise<void> {
    this.#open();
    const { output } = this.#download;
    if (this.#converter === undefined) return output.write(position, chunk);
    this.#hasNul ||= chunk.includes(0);
    return output.write(output.destination.octets, this.#converter.convert(chunk));
  }

  advance(octets: number): void {
    this.#octets += octets;
    this.#tries.advance(this.#octets);
  }

  /** Keeps the first bytes of blocks that came in any order. @throws BeginAgain if they don't fit together */
  cut(octets: number): void {
    if (!this.#isOpen) return;
    for (const overlap of this.#overlaps)
      if (overlap.start < octets) this.#requireEqual(overlap.start, overlap.octets);
    this.#download.output.destination.cut?.(octets);
  }

  /** Gives the whole file its name; returns its bytes. @throws BeginAgain, FtpullError "file", "integrity" */
  async publish(): Promise<number> {
    const { output, rules, options } = this.#download;
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
    const { output, verification, options } = this.#download;
    const { url, size } = this.version;
    const { offset, dropped } = this.beginning;
    // No run can resume a converted text, which is opened without size and time.
    const version = this.#converter === undefined ? this.version : { url };
    output.open(version, offset, this.#isInOrder, verification.checksums);
    if (dropped !== undefined) this.#tries.say(`${dropped}; beginning again`);
    const target = output.destination.label;
    this.#tries.begin({ url, target, size, offset, inTree: options.isInTree });
  }

  async #verify(octets: number): Promise<void> {
    const { output, verification, verifier } = this.#download;
    requireChecksum(verification);
    const { checksums } = verification;
    const difference = await output.difference(checksums, octets, this.#tries.observer);
    if (difference === undefined) return;
    const { destination } = output;
    const { label, rewindable } = destination;
    await destination.discard();
    if (rewindable && verifier.doubt(this.beginning.offset > 0)) throw new BeginAgain(difference);
    const words = rewindable ? difference : `${difference}; it is on ${label} already`;
    throw new FtpullError("integrity", words);
  }

  #requireEqual(start: number, octets: Buffer): void {
    const { destination } = this.#download.output;
    if (destination.tail(start + octets.length, octets.length).equals(octets)) return;
    const inOrder = "what is here is not the beginning of the server's file";
    throw new BeginAgain(this.#isInOrder ? inOrder : "the pieces of the file don't fit together");
  }

  /** Line ends don't show a binary file: many servers send texts as they are. */
  #warnOfBinary(): void {
    if (!this.#hasNul || this.#conversion !== "ascii") return;
    const words = "it has NUL bytes and may not be a text: with ;type=i it is fetched unchanged";
    this.#tries.observer.warning(`${this.version.url}: ${words}`);
  }
}
