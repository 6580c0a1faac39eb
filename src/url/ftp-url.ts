/**
 * Parses ftp:, ftps: and ftpes: URLs (RFC 1738 and its drafts) into their parts; plan.ts derives the commands from
 * these. Errors are FtpullError "usage", and never show the password.
 */
import { usageError } from "../errors.ts";
import { encodingHint, parseAuthority } from "./authority.ts";
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
  readonly fragment: string | undefined;
  readonly warnings: readonly string[];
}

export const defaultPorts: Readonly<Record<Scheme, number>> = { ftp: 21, ftps: 990, ftpes: 21 };

/** A URL without a scheme, as archives print it: `example.org/pub/x`, or a host alone that begins with `ftp.`. */
const withoutScheme =
  /^(?!.*:\/\/)(?:(?:[\w\P{ASCII}-]+\.)+[\w\P{ASCII}-]+\.?(?::\d*)?\/|ftp\.[\w.-]+(?::\d*)?$)/su;

export function parseFtpUrl(text: string): FtpUrl {
  const url = unwrap(text);
  const lacksScheme = withoutScheme.test(url);
  const parts = splitReference(lacksScheme ? `ftp://${url}` : url);
  const scheme = parseScheme(parts.scheme, url);
  if (parts.authority === undefined)
    throw usageError(`"${scheme}:" is not followed by "//" and a host`, schemeHint(url));
  const authorityAt = lacksScheme ? 0 : `${scheme}://`.length;
  const pathAt = authorityAt + parts.authority.length;
  refuseSecondUrl(url);
  refuseEarlyEnd(url.slice(authorityAt));
  const authority = parseAuthority({ text: parts.authority, at: authorityAt });
  const path = parsePath({ text: parts.path, at: pathAt });
  return {
    ...authority,
    ...path,
    scheme,
    port: authority.port ?? defaultPorts[scheme],
    fragment: parts.fragment,
    warnings: [...authority.warnings, ...path.warnings, ...warningsFor(url, parts)],
  };
}

function parseScheme(name: string | undefined, url: string): Scheme {
  if (url === "") throw usageError("the URL is empty");
  const scheme = name?.toLowerCase();
  if (scheme === "ftp" || scheme === "ftps" || scheme === "ftpes") return scheme;
  const message =
    name === undefined
      ? "the URL has no scheme (ftp:, ftps: or ftpes:)"
      : `the scheme "${name}:" is not ftp:, ftps: or ftpes:`;
  throw usageError(message, schemeHint(url));
}

/** The URL that may be meant, where no part of it may be a password. */
function schemeHint(url: string): string | undefined {
  const rest = /^(?:ftpe?s?[:/]+)?([\w.-]+(?::\d+)?(?:\/[^@]*)?)$/i.exec(url)?.[1];
  return rest === undefined ? undefined : `write ftp://${rest}`;
}

/** Refuses "ftp://ftp://u:p@h/x" and two URLs in a line: a password would be sent and shown as a name. */
function refuseSecondUrl(url: string): void {
  if (url.split("://").length > 2)
    throw usageError('"://" stands twice: in a name write ":" as %3A');
}

/**
 * Refuses a "?" or "#" in front of an "@". RFC 3986 ends the authority at "?" and "#", the rule of the last "@"
 * (U4) does not: where they give different hosts, one could receive a password.
 */
function refuseEarlyEnd(authorityAndPath: string): void {
  const [, end] = /^[^/]*?([?#])[^/]*@/.exec(authorityAndPath) ?? [];
  if (end !== undefined) throw usageError(`"${end}" stands before an "@"`, encodingHint);
}

function warningsFor(url: string, { query, fragment }: Reference): string[] {
  const warnings = [];
  if (query !== undefined)
    warnings.push(
      '"?" begins a query, which is ignored: write %3F for a literal "?", or * in a pattern',
    );
  if (fragment)
    warnings.push('the fragment (what follows "#") is not sent: write %23 for a literal "#"');
  // U+FFFD stands for octets in another encoding than UTF-8, which are lost.
  if (/[\ufffd\ud800-\udfff]/u.test(url))
    warnings.push("the URL has characters that did not arrive as UTF-8: write their octets as %XX");
  return warnings;
}
