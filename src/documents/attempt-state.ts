/** How far a document has come in this run: kept from try to try, and reported. */
import type { DocumentHash } from "../checksums/document-hash.ts";
import type { FileFacts } from "../ftp/document-steps.ts";
import type { DocumentProgress, DocumentStart, Observer } from "./events.ts";
import type { ShownListing } from "./listing-writer.ts";

export class AttemptState {
  readonly #observer: Observer;
  #progress: DocumentProgress | undefined;
  /** The most octets of the document that were stored at once. */
  octets = 0;
  /**
   * Whether the document comes over one connection, since what several brought didn't fit, or there
   * was no room for several.
   */
  single = false;
  /** Whether a try builds on nothing and begins at 0, until octets of it have come. */
  anew = false;
  /** Of the document's octets so far, where it is verified. */
  hash: DocumentHash | undefined;
  /** What the server says of a file; undefined for a listing. */
  facts: FileFacts | undefined;
  /** The octets that an earlier run had brought, once data has come. */
  resumed: number | undefined;
  /** A listing of which lines were shown that can't be taken back. */
  shown: ShownListing | undefined;

  constructor(observer: Observer) {
    this.#observer = observer;
  }

  /** The first data of a try has come. */
  begin(start: DocumentStart): void {
    this.resumed ??= start.offset;
    this.#progress = this.#observer.begin(start);
  }

  /** So many octets of the document are stored. */
  advance(octets: number): void {
    this.octets = Math.max(this.octets, octets);
    this.#progress?.advance(octets);
  }

  /** Nothing more comes in this try; `whole` tells whether the document has arrived. */
  end(whole: boolean): void {
    this.#progress?.end(whole);
    this.#progress = undefined;
  }
}
