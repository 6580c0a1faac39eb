/**
 * What the work reports while it goes on. The transfer layer declares it and calls it;
 * the terminal implements it. Texts may hold raw octets from a server: the receiver escapes them.
 */

/** A document whose data is about to arrive. */
export interface DocumentStart {
  /** The URL without its password. */
  readonly url: string;
  /** Where the octets go: a path, or "standard output". */
  readonly target: string;
  /** Octets of the whole document; undefined when the server didn't say. */
  readonly size: number | undefined;
  /** Octets that an earlier try or run had already brought. */
  readonly offset: number;
}

/** The progress of one document, from its start to its end. */
export interface DocumentProgress {
  /** `position` counts the octets of the document so far, `offset` included. Called for every read: cheap. */
  advance(position: number): void;
  /** The data ended, whole or not; nothing is called afterwards. */
  end(whole: boolean): void;
}

/** Receives what sessions and transfers report. */
export interface Observer {
  begin(document: DocumentStart): DocumentProgress;
  /** Something was read or done leniently; one sentence, lower case, no final period. */
  warning(text: string): void;
  /** A fact worth a line that is no cause for worry: a file saved, a transfer resumed. */
  info(text: string): void;
  /** A command as sent, secrets already replaced by "***", without CRLF. Octets. */
  command(line: string): void;
  /** A reply as received, lines joined by LF, without the last one's end. Octets. */
  reply(text: string): void;
}
