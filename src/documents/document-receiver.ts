/**
 * The way of a file's octets from the data connection to the destination: compared where
 * they are here already, counted, converted, stored.
 */
import { FtpullError } from "../errors.ts";
import type { DocumentIdentity } from "../files/destination.ts";
import { textConverter, type TextConverter } from "../text/line-ends.ts";
import type { Conversion } from "../text/line-ends.ts";
import type { AttemptState } from "./attempt-state.ts";
import type { Job } from "./job.ts";
import { Overlap, overlapSize } from "./resume.ts";
import { BeginAgain } from "./retry.ts";

/** node:os has it as EOL, and takes its time to load. */
const lineEnd = process.platform === "win32" ? "\r\n" : "\n";

export class DocumentReceiver {
  readonly #job: Job;
  readonly #document: DocumentIdentity;
  readonly #converter: TextConverter | undefined;
  readonly #overlap: Overlap;
  readonly #start: number;
  readonly #state: AttemptState;
  #hasBegun = false;
  /** Octets of the document that are here, as received. */
  octets: number;

  /** `octets` of the document are in the job's destination. */
  constructor(
    job: Job,
    document: DocumentIdentity,
    conversion: Conversion,
    octets: number,
    state: AttemptState,
  ) {
    this.#state = state;
    this.#job = job;
    this.#document = document;
    this.#converter = textConverter(conversion, lineEnd, job.ebcdicEncoding);
    this.#overlap = new Overlap(
      octets === 0 ? Buffer.alloc(0) : job.destination.tail(octets, overlapSize),
    );
    this.#start = octets;
    this.octets = octets;
  }

  /** Where the server has to begin: some octets before the end of what is here. */
  get offset(): number {
    return Math.max(0, this.#start - overlapSize);
  }

  /**
   * Takes the next octets that arrived; they may be reused once the promise is settled.
   * @throws BeginAgain when what is here is not the document's beginning, FtpullError
   *   "integrity" beyond its size, "file"
   */
  take(chunk: Buffer): void | Promise<void> {
    const fresh = this.#overlap.done ? chunk : this.#overlap.pass(chunk);
    if (fresh === undefined)
      throw new BeginAgain("what is here is not the beginning of the document");
    if (fresh.length === 0) return;
    this.#begin();
    this.octets += fresh.length;
    this.#state.advance(this.octets);
    this.#checkLength();
    const stored = this.#converter === undefined ? fresh : this.#converter.convert(fresh);
    return this.#job.destination.write(stored);
  }

  /** The data has ended in order. @throws FtpullError "file" */
  async end(): Promise<void> {
    if (!this.#overlap.done)
      throw new BeginAgain("the server sent nothing from where it was to go on");
    this.#begin();
    const rest = this.#converter?.end();
    if (rest !== undefined && rest.length > 0) await this.#job.destination.write(rest);
  }

  /** A server that never stops would fill the disk. */
  #checkLength(): void {
    const { size } = this.#document;
    if (size === undefined || this.octets <= size) return;
    if (this.#start > 0) throw new BeginAgain("the server sent more than was left");
    const text = `expected ${size} octets, received more`;
    throw new FtpullError("integrity", text, { transient: true });
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const { destination, shownUrl } = this.#job;
    // What a converted text leaves behind is no beginning of the document.
    const unknown = { ...this.#document, size: undefined, modified: undefined };
    destination.begin(this.#converter === undefined ? this.#document : unknown, this.#start);
    this.#state.begin({
      url: shownUrl,
      target: destination.label,
      size: this.#document.size,
      offset: this.#start,
    });
  }
}
