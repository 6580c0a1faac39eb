/**
 * Destination: where a transfer stores the octets of documents. A named file, one file for several
 * documents and standard output implement it; none of them knows FTP.
 */
import type { Stats } from "node:fs";
import type { Gap } from "./gaps.ts";

/** Version of a document: its URL without the password, and size and time as the server gave them. */
export interface Version {
  readonly url: string;
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
}

/** The octets of a document that are stored already, at least 1: its beginning, or pieces. */
export interface PartialDocument {
  readonly octets: number;
  /** The ranges that are missing; undefined when the octets are the first ones. */
  readonly missing?: readonly Gap[] | undefined;
  /** Version that the octets belong to; undefined without a readable resume state. */
  readonly document: Version | undefined;
  /** The file with the final name, where the octets are its own: another program writes in place. */
  readonly inPlace?: Pick<Stats, "size" | "mtime">;
}

/**
 * Takes one document after another, each in this order:
 *
 *   partial, tail, stored     before RETR, to decide about REST
 *   open                      once data arrives, in every try: a refused RETR leaves nothing
 *   writeAt, save ...         what is missing
 *   publish, keep or discard  when it is whole, or given up
 *
 * `partial` or `open` reserves the name. A converted text is opened without size and time: no run
 * can resume it.
 * @throws FtpullError "file"; ClosedOutput where the reader is gone
 */
export interface Destination {
  /** The file's path, or "standard output"; final once `open` has returned. */
  readonly label: string;
  /** Whether a document can begin again at 0 once octets of it were written. */
  readonly rewindable: boolean;
  /** True where the name was free a moment ago: until `open`, it needn't be looked up again. */
  isFree?: boolean;
  /** Number of octets of the opened document, whose octets come in order. */
  readonly octets: number;
  /** Stored part of the document, from this run or from an earlier one that may be resumed. */
  partial(): PartialDocument | undefined;
  /** The `length` octets before `offset`, or fewer; standard output remembers the last 4096. */
  tail(offset: number, length: number): Buffer;
  /** The octets from `start` to `end`, or as many as there are; none on standard output. */
  stored(start: number, end: number): AsyncIterable<Buffer>;
  /**
   * The `missing` octets of `document` follow, in order unless it is said that they don't; what is
   * stored behind the others is dropped.
   */
  open(document: Version, missing: readonly Gap[], isInOrder?: boolean): void;
  /** Saves what is missing, for a later try or run. Undefined where octets must come in order. */
  save?(missing: readonly Gap[]): void;
  /** The chunk may be reused once the call has returned and its promise, if any, is settled. */
  writeAt(position: number, chunk: Buffer): void | Promise<void>;
  /** Gives a whole document its name and modification time. */
  publish(modified: Date | undefined): Promise<void>;
  /** Ends this run's work on it; resolves with how many octets, on disk, can be resumed. */
  keep(): Promise<number>;
  /** Removes what is stored of the document. */
  discard(): Promise<void>;
  /** After the last document: publishes a file that several share, if one of them is whole. */
  conclude?(): Promise<void>;
  /** Gives up a shared file, where the run ends early: an existing file stays as it was. */
  abandon?(): Promise<void>;
}
