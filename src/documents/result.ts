/** The result for one URL, from which messages, --json and the exit status are made. */
import type { FtpullError } from "../errors.ts";
import type { Verification } from "./verify/verification.ts";

export interface Result {
  /**
   * Undefined for a list of URLs that can't be read to its end. `place` is the list and line
   * of a URL that can't be read, as `list:3`.
   */
  readonly url: string | undefined;
  readonly place?: string | undefined;
  readonly status: "done" | "skipped" | "failed";
  readonly exit: number;
  readonly file?: string;
  readonly isNumbered?: boolean;
  readonly octets?: number | undefined;
  readonly seconds?: number | undefined;
  readonly resumed?: number;
  readonly size?: number | undefined;
  /** Modification time; with --spider a listing's text, which may be without zone and seconds. */
  readonly modified?: Date | string | undefined;
  /** Its checksums, at least one, are the file's. */
  readonly verified?: Verification | undefined;
  /** Why a file was skipped; undefined for a link that --links skip leaves out. */
  readonly reason?: "exists" | "unchanged";
  readonly explanation?: string;
  readonly error?: FtpullError;
  /** What became of the data that had arrived. */
  readonly ending?: string | undefined;
  readonly link?: string;
  readonly inTree?: boolean;
}

/** Resolves when the result is reported. A caller may ignore the promise: the next call rejects with its error. */
export type Report = (result: Result) => Promise<void>;

export function failed(url: string | undefined, error: FtpullError): Result {
  return { url, status: "failed", exit: error.status, error };
}
