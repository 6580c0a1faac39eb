/** The result for one URL, from which messages, --json and the exit status are made. */
import { exitStatus, type FtpullError, Interrupted } from "../errors.ts";
import type { Verified } from "./verify/verification.ts";

/** Result for one URL; a value that is undefined is unknown, or doesn't apply. */
export interface Result {
  /** The URL without its password; undefined for a list of URLs that can't be read to its end. */
  readonly url: string | undefined;
  readonly status: "done" | "skipped" | "failed";
  /** The exit status for this document alone. */
  readonly exit: number;
  readonly file?: string;
  /** Number of octets that are stored. */
  readonly octets?: number | undefined;
  readonly seconds?: number;
  /** Number of octets that an earlier run had stored. */
  readonly resumed?: number;
  readonly size?: number | undefined;
  /** Modification time; with --spider a listing's text, which may be without zone and seconds. */
  readonly modified?: Date | string | undefined;
  /** SHA-256 in hex, if the document was verified by it. */
  readonly sha256?: string | undefined;
  readonly verified?: Verified | undefined;
  /** Why the document was skipped: a word for --json, which `explanation` says to the user. */
  readonly reason?: "exists" | "unchanged";
  readonly explanation?: string;
  readonly error?: FtpullError;
  /** Whether the document belongs to a tree, which is shown as a whole. */
  readonly inTree?: boolean;
}

/**
 * Takes each result as soon as it is known, and resolves when it is reported. A caller that doesn't
 * wait may ignore the promise: the next one gets its error.
 */
export type Report = (result: Result) => Promise<void>;

export function failed(url: string | undefined, error: FtpullError): Result {
  const exit = error instanceof Interrupted ? error.status : exitStatus[error.kind];
  return { url, status: "failed", exit, error };
}
