/**
 * A document that is put together from ranges: what is missing of it, where the octets of each
 * range go, and whether the ranges fit together.
 */
import type { DocumentIdentity, Scattered } from "../../files/destination.ts";
import type { Gap } from "../../files/gaps.ts";
import type { Job, FetchContext } from "../job.ts";
import { withEnd } from "../resume.ts";
import { BeginAgain } from "../retry.ts";
import { Ranges } from "./ranges.ts";

/** A document that can be fetched in any order. */
export type SizedDocument = DocumentIdentity & { readonly size: number };

/** How often a run that is killed can look back to what it had. */
const noteMs = 1000;

/** Octets that came before a range, to be compared with what comes from elsewhere. */
interface Lead {
  readonly start: number;
  readonly octets: Buffer;
}

export class SegmentedFile {
  readonly document: SizedDocument;
  readonly ranges: Ranges;
  readonly #job: Job;
  readonly #context: FetchContext;
  /** Those before which nothing was here yet. */
  readonly #leads: Lead[] = [];
  #scattered: Scattered | undefined;
  #notedAt = 0;

  constructor(document: SizedDocument, missing: readonly Gap[], job: Job, context: FetchContext) {
    this.document = document;
    this.ranges = new Ranges(missing, context.state.single ? 1 : job.segments);
    this.#job = job;
    this.#context = context;
  }

  /** How many octets are here. */
  get octets(): number {
    return this.document.size - this.ranges.left;
  }

  /** Where to write from `position` on. Nothing is touched before it is asked for. */
  writerAt(position: number): ReturnType<Scattered["writerAt"]> {
    this.#begin();
    return this.#scattered!.writerAt(position);
  }

  /** Octets of a range were written. @throws FtpullError "file" when no note can be taken of it */
  written(): void {
    this.#context.state.advance(this.octets);
    if (performance.now() - this.#notedAt > noteMs) this.#note();
  }

  /**
   * Compares what came before a range with what is here, now or in the end.
   * @throws BeginAgain when the octets differ
   */
  compare(start: number, octets: Buffer): void {
    if (this.ranges.has(start, start + octets.length)) this.#compare({ start, octets });
    else this.#leads.push({ start, octets });
  }

  /** All octets are here: puts the file in its place. @throws BeginAgain, FtpullError "file" */
  async finish(): Promise<void> {
    const { destination, keepsTime } = this.#job;
    await this.#scattered?.idle();
    for (const lead of this.#leads) this.#compare(lead);
    this.#scattered = undefined; // the file has no note any more, or is gone
    destination.begin(this.document, this.document.size);
    await destination.finish(keepsTime ? this.document.modified : undefined);
  }

  /** Nothing more comes in this try; what is missing of a file that isn't finished is noted for the next one. */
  async close(): Promise<void> {
    await this.#scattered?.idle();
    try {
      this.#note();
    } catch {
      // An older note says less than is here, and nothing that isn't.
    }
  }

  #begin(): void {
    if (this.#scattered !== undefined) return;
    const { destination, shownUrl: url } = this.#job;
    this.#scattered = destination.scatter?.(this.document, this.ranges.missing);
    this.#notedAt = performance.now();
    const { size } = this.document;
    this.#context.state.begin({ url, target: destination.label, size, offset: this.octets });
  }

  #note(): void {
    this.#scattered?.save(withEnd(this.ranges.missing, this.document.size));
    this.#notedAt = performance.now();
  }

  #compare({ start, octets }: Lead): void {
    const here = this.#job.destination.tail(start + octets.length, octets.length);
    if (!here.equals(octets)) throw new BeginAgain("the pieces of the document don't fit together");
  }
}
