/**
 * FtpUrl: what the text of an ftp: URL says, split but not yet interpreted.
 * Grammar only; what the parts mean for a session is plan.ts.
 */
export type Scheme = "ftp" | "ftps" | "ftpes";

/** An ftp: URL in parts. Users, passwords and decoded segments are octets: one char each (latin1). */
export interface FtpUrl {
  readonly scheme: Scheme;
  /** Decoded octets; undefined when the URL has no userinfo, "" when it is empty (`ftp://@h/`). */
  readonly user: string | undefined;
  /** Decoded octets; undefined when there is no ":", "" when nothing follows it (`ftp://u:@h/`). */
  readonly password: string | undefined;
  /** A DNS name as A-labels, an IPv4 literal, or an IPv6 literal without brackets (zone kept). */
  readonly host: string;
  readonly port: number;
  /** The path split at "/", still percent-encoded, without the typecode; never empty, the last one is the name. */
  readonly segments: readonly string[];
  /** As TYPE sends it: "A", "E", "I", "U", "A N", "L 8" ...; "D" is the pseudo-typecode of a directory. */
  readonly typecode: string | undefined;
  /** Without "#"; never sent. */
  readonly fragment: string | undefined;
  /** What was read leniently, one sentence each, for the user. */
  readonly warnings: readonly string[];
}
