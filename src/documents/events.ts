/**
 * Reports of transfers while they run. This layer declares and calls it; the terminal implements
 * it. Texts may hold raw octets from a server: the receiver escapes them.
 */

/** A document whose data is about to arrive. */
export interface DocumentStart {
  /** The URL without its password. */
  readonly url: string;
  /** A path, or "standard output". */
  readonly target: string;
  /** Octets of the whole document; undefined when the server didn't say. */
  readonly size: number | undefined;
  /** Octets that an earlier try or run had stored. */
  readonly offset: number;
  /** Whether it belongs to a tree, whose progress is shown as a whole. */
  readonly inTree?: boolean;
}

/** Numbers of a tree so far, which change until the tree has ended. */
export interface TreeCount {
  /** The URL of its top, without its password. */
  readonly url: string;
  /** Files that were listed, and those that were fetched, skipped or have failed. */
  readonly files: number;
  readonly filesEnded: number;
  /** The octets of these files, as far as they are known. */
  readonly octets: number;
  readonly octetsEnded: number;
  /** Directories that are still to be listed. */
  readonly directories: number;
  readonly hasEnded: boolean;
}

/** Follows one document from its first octet to its end. */
export interface DocumentProgress {
  /** Octets of the document so far, `offset` included. Called for every read: must be cheap. */
  advance(position: number): void;
  /** The data ended, whole or not; `verified` tells by what, as "sha256 of SHA256SUMS". The last call. */
  end(whole: boolean, verified?: string): void;
}

/** Receives what sessions and transfers report. */
export interface Observer {
  begin(document: DocumentStart): DocumentProgress;
  /** A tree begins; `count` goes on changing. */
  tree(count: TreeCount): void;
  /** Input was read, or work done, leniently; one sentence, lower case, no final period. */
  warning(text: string): void;
  /** A fact that is no problem: a file saved, a transfer resumed. */
  info(text: string): void;
  /** A step that the program took to get on with a server: shown with the dialogue only. */
  detail(text: string): void;
  /**
   * A command as sent, in octets, without CRLF; secrets are already replaced by "***". The number
   * tells the sessions of a run apart.
   */
  command(line: string, session: number): void;
  /** A reply as received, in octets; lines joined by LF, without the last line end. */
  reply(text: string, session: number): void;
}
