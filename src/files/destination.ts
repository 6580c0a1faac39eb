/**
 * Destination: where the octets of documents go, as a transfer sees it. A named file, one
 * file for several documents and standard output implement it; none of them knows FTP.
 */

import type { Gap } from "./gaps.ts";

/** What tells one document, and one version of it, from another. */
export interface DocumentIdentity {
  /** The URL without its password. */
  readonly url: string;
  /** In octets, as the server gave it; undefined when it didn't. */
  readonly size: number | undefined;
  /** The modification time as the server gave it; undefined when it didn't. */
  readonly modified: Date | undefined;
}

/** What is here of a document already: its beginning, or pieces of it. */
export interface PartialDocument {
  /** How many octets of it are here; at least 1. */
  readonly octets: number;
  /** Where the others are missing; undefined when those here are the first ones. */
  readonly missing?: readonly Gap[] | undefined;
  /** Whose octets they are; undefined when nothing is known: a lost note, or a plain file. */
  readonly document: DocumentIdentity | undefined;
  /** Set where the disk has less room for it than it has octets: some of them may never have been written. */
  readonly isSparse?: true;
  /** The octets are those of the finished name itself, from a program that writes in place. */
  readonly inPlace: boolean;
}

/**
 * Takes the octets of one document after another, each in this order:
 *
 *   partial, tail     before RETR, to decide about REST; never needed for a new document
 *   begin             once the server agrees to send (1yz, or data arrives), again for every try
 *   write ...         the document's octets in order
 *   finish            when it is whole; or close, or discard, when it is given up
 *
 * A partial file is created for the first octet, or for `finish` of an empty document: a RETR
 * that is refused leaves nothing, and neither does a small document before it is whole or
 * given up (SmallFile). The name is taken from `partial` or `begin` on, so that no
 * other run writes it, until `finish`, `close` or `discard`. Octets are counted as they are
 * stored. A text that is converted on its way can't be resumed: begin it without size and
 * time, so that no later run takes what is left of it for octets of the document.
 *
 * Every method throws, or rejects with, FtpullError "file"; ClosedOutput where nobody reads.
 */
export interface Destination {
  /** The file's path, or "standard output"; final once `begin` has returned. */
  readonly label: string;
  /** Whether a document of which octets were written can begin again at 0. */
  readonly rewindable: boolean;
  /** What is here of the document: from this run, or from an earlier one where that may be resumed. */
  partial(): PartialDocument | undefined;
  /** The `length` octets before `offset` (fewer where there are fewer); standard output has the last 4096. */
  tail(offset: number, length: number): Buffer;
  /** The first `octets` octets of the document that are here; standard output gives none back. */
  stored(octets: number): AsyncIterable<Buffer>;
  /** The next octet that is written is octet `offset` of `document`; what is here beyond it is dropped. */
  begin(document: DocumentIdentity, offset: number): void;
  /**
   * In place of `begin` and `write`: the octets of `document` come in any order, and of those in
   * `missing` none is here. When all are, `begin` at its size and `finish`. Undefined where
   * octets have to come in order.
   */
  readonly scatter?:
    ((document: DocumentIdentity, missing: readonly Gap[]) => Scattered) | undefined;
  /** The chunk may be reused once the call has returned and the promise, if there is one, is settled. */
  write(chunk: Buffer): void | Promise<void>;
  /** The document is whole: puts it in its place, with this modification time, and returns its label. */
  finish(modified: Date | undefined): Promise<string>;
  /**
   * Gives the document up for this run; what can be resumed is kept, and is on disk when this
   * resolves with the number of octets that a later run can build on.
   */
  close(): Promise<number>;
  /** Gives the document up, and keeps nothing of it. */
  discard(): Promise<void>;
}

/** A document on its way into a file in any order. */
export interface Scattered {
  /** Takes octets from `position` on; each chunk as a destination does. */
  writerAt(position: number): { write(chunk: Buffer): void | Promise<void> };
  /** Takes note of what is missing, for a later try or run. */
  save(missing: readonly Gap[]): void;
  /** Resolves when no write is under way any more. */
  idle(): Promise<void>;
}

/** A destination for all documents of a run (`-O`). */
export interface SharedDestination extends Destination {
  /** No document follows: puts the file in its place when at least one document is whole. */
  conclude(): Promise<void>;
  /** The run ends before its last document: what was there stays in its place. */
  abandon(): Promise<void>;
}
