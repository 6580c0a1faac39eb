/**
 * Plan: what a URL stands for on a server: the CWDs, the representation type and the
 * action. Pure; the session carries it out.
 */
export type Action =
  /** RETR, and nothing else. */
  | "retrieve"
  /** A listing of the directory reached (name "") or of the directory `name`. */
  | "list"
  /** RETR; where that is refused with 550 or 553, the listing of `name` (P8). */
  | "retrieve-or-list";

export type Conversion = "none" | "ascii" | "ebcdic" | "net-unicode";

export interface Plan {
  /** Arguments of CWD in order, as octets. */
  readonly cwds: readonly string[];
  /** The last segment as octets; "" means the directory that the cwds reach. */
  readonly name: string;
  readonly action: Action;
  /** The argument of TYPE; undefined leaves the server's default (a listing without typecode). */
  readonly type: string | undefined;
  /** What is done with the data of a file. */
  readonly conversion: Conversion;
}
