/** Reports of transfers while they run. Texts may hold raw octets from a server: the terminal escapes them. */
import type { FtpullError } from "../errors.ts";
import type { TreeCount } from "./tree/tree-count.ts";

export interface DocumentStart {
  readonly url: string;
  readonly target: string;
  readonly size: number | undefined;
  readonly offset: number;
  readonly inTree?: boolean;
}

export interface DocumentProgress {
  /** `position` includes `offset`, stored by an earlier try or run. Called for every read: must be cheap. */
  advance(position: number): void;
  /** `saved` is undefined for a document that isn't whole. */
  end(saved?: Saved): void;
}

export interface Saved {
  /** The file; another program may have taken the name that it had at the start. */
  readonly target?: string | undefined;
  readonly verified?: string | undefined;
}

export interface Observer {
  begin(document: DocumentStart): DocumentProgress;
  tree(count: TreeCount): void;
  /** `text` is a sentence without a final period. */
  warning(text: string): void;
  /** A warning that is shown with -q, too: an option was not obeyed. */
  warnAlways(text: string): void;
  info(text: string, hint?: string): void;
  /** An `info` that is shown with -q, too: an option had no effect. */
  infoAlways(text: string, hint?: string): void;
  /** The end of a document that a signal ended; shown in a quiet run, too. */
  failure(url: string, error: FtpullError): void;
  /** A step that this server made necessary; shown with the dialogue only. */
  detail(text: string): void;
  /** Commands and replies are octets, without the last CRLF; "***" stands for secrets, LF parts a reply's lines. */
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
}
