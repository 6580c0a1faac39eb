/** How far a document has come in this run: kept from try to try, and reported. */
import type { DocumentHash } from "../checksums/document-hash.ts";
import type { FileFacts } from "../ftp/document-steps.ts";
import type { DocumentProgress, DocumentStart, Observer } from "./events.ts";
import type { ShownListing } from "./listing-writer.ts";

export class AttemptState {
  readonly #observer: Observer;
  #progress: DocumentProgress | undefined;
  /** The most octets that came at once since it was begun; in the end those that are stored. */
  octets = 0;
  /** Whether to use one connection: what several brought didn't fit together. */
  single = false;
  /** Whether a try begins at 0 whatever is stored, until octets of it have come. */
  anew = false;
  /** Whether more octets came in the last try than SIZE had said. */
  isOutgrown = false;
  /** Whether octets behind SIZE may be those of a document that grows. */
  mayGrow = true;
  /** Of the octets so far, where the document is verified. */
  hash: DocumentHash | undefined;
  /** The octets of a listing that were written. */
  listed = 0;
  /** Undefined for a listing. */
  facts: FileFacts | undefined;
  /** The octets that an earlier run had stored; set once data has come. */
  resumed: number | undefined;
  /** A listing whose first lines were shown and can't be taken back. */
  shown: ShownListing | undefined;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  begin(start: DocumentStart): void {
    this.resumed ??= start.offset;
    this.#progress = this.#observer.begin(start);
  }

  advance(octets: number): void {
    this.octets = Math.max(this.octets, octets);
    this.#progress?.advance(octets);
  }

  /** Ends a try; `whole` tells whether the document has arrived. */
  end(whole: boolean): void {
    this.#progress?.end(whole);
    this.#progress = undefined;
  }
}
