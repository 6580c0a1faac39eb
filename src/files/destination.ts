/** Destinations, where transfers store documents: a named file, one file for all, standard output. They know no FTP. */
import type { Stats } from "node:fs";

/** A version of a document: its URL without the password, its size, and its time if that is exact. */
export interface Version {
  readonly url: string;
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
}

/** Bytes that are stored, at least 1: the first ones of a version, or all of the `other` program's file for -c. */
export interface Stored {
  readonly octets: number;
  readonly version?: Version | undefined;
  readonly other?: { readonly path: string; readonly modified: Date };
}

/**
 * Takes one document after another, each in this order:
 *   present                   to decide whether what has the name stays
 *   choose, tail              before RETR, to decide about REST
 *   open                      once data arrives, in every try: a refused RETR leaves nothing
 *   writeAt ...               behind the octets with which it was opened
 *   publish, keep or discard  when it is whole, or given up
 * @throws FtpullError "file"
 */
export interface Destination {
  /** The file's path, or "standard output"; where names are numbered, `choose`, `open` and `publish` may change it. */
  readonly label: string;
  readonly rewindable: boolean;
  /** True if a file is here that is gone on with, or stays as it is (-c alone). */
  readonly mustStay: boolean;
  /** Octets of the opened document. */
  readonly octets: number;
  /** What has the name. @throws FtpullError "file" if this run has it for another URL */
  present(url: string): Stats | undefined;
  /** Chooses the name; returns what is stored under it. A small document of this version has no partial file. */
  choose(now: Version): Stored | undefined;
  /** The `length` bytes before `offset`, or fewer; standard output keeps its last 4096. */
  tail(offset: number, length: number): Buffer;
  /** Goes on behind the first `offset` octets of `document`, and drops all others. */
  open(document: Version, offset: number, isInOrder?: boolean): void | Promise<void>;
  /** `chunk` may be reused once the call has returned and its promise, if any, is settled. */
  writeAt(position: number, chunk: Buffer): void | Promise<void>;
  /** Drops all but the first octets of a document that didn't come in order; other destinations take none so. */
  cut?(octets: number): void;
  publish(modified: Date | undefined): void;
  /** Ends this run's work on the document; returns how many octets, on disk, a later run can resume. */
  keep(): number;
  discard(): void;
  /** A shared file is published after the last document, if one is whole, or given up when the run ends early. */
  conclude?(): void;
  abandon?(): void;
}
