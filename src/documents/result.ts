/** What became of one URL: messages and the run's exit status are made of it. */
import { exitStatus, type FtpullError } from "../errors.ts";

/** Undefined is unknown, or doesn't apply. */
export interface Result {
  /** Without its password; undefined for a list of URLs that can't be read to its end. */
  readonly url: string | undefined;
  readonly status: "done" | "skipped" | "failed";
  /** The exit status that this document alone would give. */
  readonly exit: number;
  /** Where the document is. */
  readonly file?: string;
  /** How many octets of it are there. */
  readonly octets?: number | undefined;
  readonly seconds?: number;
  /** How many octets an earlier run had brought. */
  readonly resumed?: number;
  /** What the server says of the document. */
  readonly size?: number | undefined;
  readonly modified?: Date | undefined;
  /** In hex, where the document was verified by it. */
  readonly sha256?: string | undefined;
  /** Why it was skipped: in a word, and in words for the user. */
  readonly reason?: "exists" | "unchanged";
  readonly explanation?: string;
  readonly error?: FtpullError;
}

/** Takes each result as soon as it is known. */
export type Report = (result: Result) => void;

export function failed(url: string | undefined, error: FtpullError): Result {
  return { url, status: "failed", exit: exitStatus[error.kind], error };
}
