/**
 * Parses ftp:, ftps: and ftpes: URLs (RFC 1738 and its drafts) into their parts; plan.ts derives the commands from
 * these. Errors are FtpullError "usage", and never show the password.
 */
import { usageError } from "../errors.ts";
import { hints } from "../hints.ts";
import { parseAuthority } from "./authority.ts";
import { parsePath } from "./path.ts";
import { type Reference, splitReference } from "./resolve.ts";
import { unwrap } from "./wrapper.ts";

/** ftps is implicit TLS; ftpes is explicit TLS, by AUTH. */
type Scheme = "ftp" | "ftps" | "ftpes";

export interface FtpUrl {
  readonly scheme: Scheme;
  /** User and password are decoded octets, one char each (latin1): undefined if absent, "" in `ftp://:@h/`. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string;
  readonly port: number;
  /**
   * The path's parts between slashes, as they are written: percent-encoded, or with raw characters. The
   * last one is the name, without the typecode: "" for a directory. There is at least one.
   */
  readonly segments: readonly string[];
  /** The value of `;type=`: the argument of TYPE ("A", "E", "I", "U", "A N", "L 8"), or "D" for a listing. */
  readonly typecode: string | undefined;
  readonly warnings: readonly string[];
}

export const defaultPorts: Readonly<Record<Scheme, number>> = { ftp: 21, ftps: 990, ftpes: 21 };

/** Reads a URL; a word without "://" is an ftp: URL without its scheme. */
export function parseFtpUrl(text: string): FtpUrl {
  const url = unwrap(text);
  if (url === "") throw usageError("the URL is empty");
  const start = url.includes("://") || schemeWithoutSlashes.test(url) ? "" : "ftp://";
  const parts = splitReference(start + url);
  const scheme = parseScheme(parts.scheme);
  if (parts.authority === undefined)
    throw usageError(`"${scheme}:" is not followed by "//" and a host`);
  refuseSecondUrl(url);
  refuseEarlyEnd((start + url).slice(`${scheme}://`.length));
  const authority = parseAuthority(parts.authority, parts.path);
  const { user, password, host, port = defaultPorts[scheme] } = authority;
  const { segments, typecode, warnings: ofPath } = parsePath(parts.path);
  const warnings = [...authority.warnings, ...ofPath, ...warningsFor(parts)];
  return { scheme, user, password, host, port, segments, typecode, warnings };
}

/** Otherwise `ftp:/host/x` and `ftp//user:password@host/x` would be paths on the host "ftp". */
const schemeWithoutSlashes = /^ftp(?:e?s)?(?::|\/\/)/i;

function parseScheme(name = ""): Scheme {
  const scheme = name.toLowerCase();
  if (scheme === "ftp" || scheme === "ftps" || scheme === "ftpes") return scheme;
  throw usageError(`the scheme "${name}:" is not ftp:, ftps: or ftpes:`);
}

/** Refuses "ftp://ftp://u:p@h/x" and two URLs in a word: a password would be sent and shown as a name. */
function refuseSecondUrl(url: string): void {
  if (url.split("://").length > 2)
    throw usageError('"://" stands twice: in a name write ":" as %3A');
}

/** Refuses a password with a raw "?" or "#", where the authority ends (RFC 3986): its beginning would be a host. */
function refuseEarlyEnd(authorityAndPath: string): void {
  const [, end] = /^[^/?#]*([?#])[^/]*@/.exec(authorityAndPath) ?? [];
  if (end !== undefined) throw usageError(`"${end}" stands before an "@"`, hints.encoding);
}

function warningsFor({ query, fragment }: Reference): string[] {
  const warnings = [];
  if (query !== undefined)
    warnings.push(
      '"?" begins a query, which is ignored: write %3F for a literal "?", or * in a pattern',
    );
  if (fragment)
    warnings.push('the fragment (what follows "#") is not sent: write %23 for a literal "#"');
  return warnings;
}

/** Options that become a part of a URL; `user`, as octets, is for a URL that names none. */
interface UrlAdditions {
  readonly root?: boolean;
  readonly tls?: boolean;
  readonly user?: string | undefined;
}

/** A URL to which the same additions may be made again. */
export function withAdditions(url: FtpUrl, { root, tls, user }: UrlAdditions): FtpUrl {
  return {
    ...url,
    scheme: tls && url.scheme === "ftp" ? "ftpes" : url.scheme,
    user: url.user ?? user,
    segments: root ? fromRoot(url.segments) : url.segments,
  };
}

/** Segments that begin at the server's root directory; behind "~" or ".", at the login directory (P11). */
function fromRoot([first = "", ...rest]: readonly string[]): string[] {
  const isAtLogin = /^(?:~|%7e|\.|%2e)$/i.test(first);
  return isAtLogin ? [".", ...rest] : ["%2F", first, ...rest];
}
