/** Destinations, where transfers store documents: a named file, one file for all, standard output. They know no FTP. */
import type { Stats } from "node:fs";
import type { Gap } from "./gaps.ts";

/** A document, by its URL without the password, and its size and time as the server gave them. */
export interface Version {
  readonly url: string;
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
}

/**
 * The stored octets of a document, at least 1. `missing` is undefined when they are the first ones; `document`,
 * without a readable resume state. `inPlace` is the file with the final name, if it has the octets: another
 * program writes in place.
 */
export interface PartialDocument {
  readonly octets: number;
  readonly missing?: readonly Gap[] | undefined;
  readonly document: Version | undefined;
  /** Version (part/publish.ts) of the file with the final name that the document may replace; not checked when read. */
  readonly replaceable?: unknown;
  readonly inPlace?: Pick<Stats, "size" | "mtime"> & { readonly path: string };
}

/**
 * The file with its final name that a document may replace: any one; with -c, the one that `partial` found, in a
 * later run, too, since it is older; or only one that is the document's beginning.
 */
export type Replaceable = "any" | "found" | "beginning";

/**
 * Takes one document after another, each in this order:
 *   partial, tail, stored     before RETR, to decide about REST
 *   open                      once data arrives, in every try: a refused RETR leaves nothing
 *   writeAt, save ...         what is missing
 *   publish, keep or discard  when it is whole, or given up
 * `partial` or `open` reserves the name. @throws FtpullError "file"; ClosedOutput
 */
export interface Destination {
  /** The file's path, or "standard output"; where names are numbered, `open` and `publish` may change the path. */
  readonly label: string;
  readonly rewindable: boolean;
  /** True where the name was free a moment ago: until `open`, it needn't be looked up again. */
  isFree?: boolean;
  /** Set before `open`; default: "any", as for a listing. */
  replaces?: Replaceable;
  /** Octets of an earlier run that the first `open` has dropped. */
  readonly dropped?: number;
  /** Octets of the opened document, if they come in order. */
  readonly octets: number;
  partial(): PartialDocument | undefined;
  /** The `length` octets before `offset`, or fewer; standard output keeps its last 4096, and `stored` none. */
  tail(offset: number, length: number): Buffer;
  stored(start: number, end: number): AsyncIterable<Buffer>;
  /** Begins to store the `missing` octets of `document`; stored octets behind the others are dropped. */
  open(document: Version, missing: readonly Gap[], isInOrder?: boolean): void;
  /** Saves the gaps of a document; a destination that needs octets in order has no such method. */
  save?(missing: readonly Gap[]): void;
  /** `chunk` may be reused once the call has returned and its promise, if any, is settled. */
  writeAt(position: number, chunk: Buffer): void | Promise<void>;
  publish(modified: Date | undefined): Promise<void>;
  /** Ends this run's work on the document; resolves with how many octets, on disk, can be resumed. */
  keep(): Promise<number>;
  discard(): Promise<void>;
  /** A shared file is published after the last document, if one is whole, or given up when the run ends early. */
  conclude?(): Promise<void>;
  abandon?(): Promise<void>;
}
