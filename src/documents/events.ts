/** Reports of transfers while they run. Texts may hold raw octets from a server: the terminal escapes them. */
import type { TreeCount } from "./tree/tree-count.ts";

export interface DocumentStart {
  readonly url: string;
  readonly target: string;
  readonly size: number | undefined;
  readonly offset: number;
  readonly inTree?: boolean;
}

export interface DocumentProgress {
  /** `position` includes `offset`, stored by an earlier try or run. Called for every read, so it must be cheap. */
  advance(position: number): void;
  /** Without `saved` the file isn't whole. */
  end(saved?: Saved): void;
}

/** A whole file; `resumed` octets are of an earlier run, and `seconds` the time of all tries of this one. */
export interface Saved {
  /** The file; another program may have taken the name that it had at the start. */
  readonly target?: string | undefined;
  readonly resumed: number;
  readonly seconds: number;
  readonly verified: string | undefined;
}

/**
 * Receiver of a run's reports. -q hides `warning` and `info`; the `Always` forms, for an option that was not
 * obeyed or had no effect, are shown all the same; `detail` is shown with the dialogue only.
 */
export interface Observer {
  begin(document: DocumentStart): DocumentProgress;
  tree(count: TreeCount): void;
  warning(text: string): void;
  warnAlways(text: string): void;
  info(text: string): void;
  detail(text: string): void;
  /** Commands and replies are octets, without the last CRLF; "***" stands for secrets, LF parts a reply's lines. */
  command(line: string, session: number): void;
  reply(text: string, session: number): void;
}
