/**
 * Destination: where the octets of documents go, as a transfer sees it. A named file, one
 * file for several documents and standard output implement it; none of them knows FTP.
 */
import type { Gap } from "./gaps.ts";

/** What tells one document, and one version of it, from another. */
export interface DocumentIdentity {
  /** The URL without its password. */
  readonly url: string;
  /** In octets, as the server gave it. */
  readonly size: number | undefined;
  /** The modification time as the server gave it. */
  readonly modified: Date | undefined;
}

/** The octets of a document that are stored already: its beginning, or pieces of it. */
export interface PartialDocument {
  /** How many there are; at least 1. */
  readonly octets: number;
  /** Where the others are missing; undefined when these are the first ones. */
  readonly missing?: readonly Gap[] | undefined;
  /** Whose octets they are; undefined when nothing is known: a lost resume state, or a plain file. */
  readonly document: DocumentIdentity | undefined;
  /** Set where the disk has less room for it than it has octets: some of them may never have been written. */
  readonly isSparse?: true;
  /** The octets are those of the finished name itself, from a program that writes in place. */
  readonly inPlace: boolean;
}

/**
 * Takes one document after another, each in this order:
 *
 *   partial, tail, stored     before RETR, to decide about REST
 *   open                      once data arrives, in every try
 *   save                      before octets come in another order than the document's
 *   writeAt ...               what is missing
 *   publish, keep or discard  when it is whole, or given up
 *
 * The name is reserved from `partial` or `open` on, and a partial file created for the first octet:
 * a RETR that is refused leaves nothing. A converted text is opened without size and time, so that
 * no later run builds on it.
 * @throws FtpullError "file"; ClosedOutput where the reader is gone
 */
export interface Destination {
  /** The file's path, or "standard output"; final once `open` has returned. */
  readonly label: string;
  /** Whether a document of which octets were written can begin again at 0. */
  readonly rewindable: boolean;
  /** What this run has stored of the document, or an earlier one where that may be resumed. */
  partial(): PartialDocument | undefined;
  /** The `length` octets before `offset` (fewer where there are fewer); standard output has the last 4096. */
  tail(offset: number, length: number): Buffer;
  /** The octets from `start` up to `end`, or as many as there are; standard output gives none back. */
  stored(start: number, end: number): AsyncIterable<Buffer>;
  /** The octets of `document` that are `missing` follow; what is stored behind all others is dropped. */
  open(document: DocumentIdentity, missing: readonly Gap[]): void;
  /** Saves what is missing, for a later try or run. Undefined where octets have to come in order. */
  readonly save?: ((missing: readonly Gap[]) => void) | undefined;
  /** The chunk may be reused once the call has returned and the promise, if there is one, is settled. */
  writeAt(position: number, chunk: Buffer): void | Promise<void>;
  /** The document is whole: puts it in its place, with this modification time, and returns its label. */
  publish(modified: Date | undefined): Promise<string>;
  /**
   * Gives the document up for this run; what can be resumed is kept, and is on disk when this
   * resolves with the number of octets that a later run can build on.
   */
  keep(): Promise<number>;
  /** Gives the document up, and keeps nothing of it. */
  discard(): Promise<void>;
}

/** A destination for all documents of a run (`-O`). */
export interface SharedDestination extends Destination {
  /** No document follows: puts the file in its place when at least one document is whole. */
  conclude(): Promise<void>;
  /** The run ends before its last document: what was there stays in its place. */
  abandon(): Promise<void>;
}
