/**
 * Parses ftp:, ftps: and ftpes: URLs (RFC 1738 and its drafts) into their parts; plan.ts derives the commands from
 * these. Errors are FtpullError "usage", and never show the password.
 */
import { FtpullError } from "../errors.ts";
import { hasSlashInPassword, secondUrlAt } from "../text/redact.ts";
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
  refuseSecondUrl(url);
  if (parts.authority === undefined)
    throw new FtpullError("usage", `"${scheme}:" is not followed by "//" and a host`, {
      hint: schemeHint(url),
    });
  const authorityAt = lacksScheme ? 0 : `${scheme}://`.length;
  const pathAt = authorityAt + parts.authority.length;
  refuseEarlyEnd(url, parts.authority, pathAt);
  refusePasswordAsHost(url, authorityAt, pathAt);
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
  if (url === "") throw new FtpullError("usage", "the URL is empty");
  const scheme = name?.toLowerCase();
  if (scheme === "ftp" || scheme === "ftps" || scheme === "ftpes") return scheme;
  const message =
    name === undefined
      ? "the URL has no scheme (ftp:, ftps: or ftpes:)"
      : `the scheme "${name}:" is not ftp:, ftps: or ftpes:`;
  throw new FtpullError("usage", message, { hint: schemeHint(url) });
}

function schemeHint(url: string): string | undefined {
  const found = schemeHints.find(([pattern]) => pattern.test(url));
  return found && url.replace(...found);
}

const otherProgram =
  "other programs fetch $<other>: URLs; if the server has FTP, too, write ftp://$<host>$<path>";

/**
 * Patterns for whole URLs that lack a scheme or have a wrong one, with their hints. A part that may hold a
 * password isn't matched, or not shown.
 */
const schemeHints: readonly [RegExp, string][] = [
  // ftp:/host, ftp:host, ftp//host
  [/^(?<scheme>ftp|ftps|ftpes)(?::\/?|\/\/)(?<rest>[^/@][^@]*)$/i, "write $<scheme>://$<rest>"],
  [
    /^(?!ftp(?:e?s)?:)(?<user>[\w.-]+)(?::[^@/:]*)?@(?<rest>[\w.-]+(?::\d+(?:\/|$)|\/).*)[^]*$/i,
    "write ftp://$<user>@$<rest>",
  ],
  // host:/path, as of scp
  [
    /^(?!ftp(?:e?s)?:)(?<host>[\w.-]+(?::\d+)?):(?<path>\/(?!\/)[^@]*)$/i,
    "write ftp://$<host>$<path>",
  ],
  [/^(?<other>https?|sftp|rsync):\/\/(?<host>[^@:/]+)(?<path>\/[^@]*)?$/i, otherProgram],
  [
    /^(?<other>https?|sftp|rsync):\/\/(?<host>[^@:/]+):(?<port>\d+)(?<path>\/[^@]*)?$/i,
    `${otherProgram} (port $<port> is not for FTP)`,
  ],
  [/^(?![^]*(?:\/\/|@))(?<host>\w[\w.-]*)(?::[0-9]*)?(?:\/[^]*)?$/, "write ftp://$&"],
];

function refuseSecondUrl(url: string): void {
  const at = secondUrlAt(url);
  if (at === undefined) return;
  const words = `"://" at character ${at + 1} belongs to a second URL`;
  const hint = 'give each URL as an argument of its own; in a name write ":" as %3A';
  throw new FtpullError("usage", words, { hint });
}

/**
 * Refuses a "?" or "#" in front of an "@". RFC 3986 ends the authority at "?" and "#", the rule of the last "@"
 * (U4) does not: where they give different hosts, one could receive a password. A password with an "@" may go on
 * behind a slash: `u:p@ss/w#rd@host`.
 */
function refuseEarlyEnd(url: string, authority: string, pathAt: number): void {
  const hasPassword = /^[^:]*:[^]*@/.test(authority);
  const pattern = hasPassword ? /^([^?#]*)([?#])[^/]*@/ : /^()([?#])[^/]*@/;
  const [, before = "", end] = pattern.exec(url.slice(pathAt)) ?? [];
  if (end === undefined) return;
  const encoded = end === "?" ? "%3F" : "%23";
  const words = `"${end}" at character ${pathAt + before.length + 1} stands before an "@"`;
  throw new FtpullError("usage", `${words}: write it as ${encoded}`, { hint: encodingHint });
}

/** Refuses `u:p@ss/word@example.org`: the host would be "ss", and could receive the password. */
function refusePasswordAsHost(url: string, authorityAt: number, pathAt: number): void {
  if (!hasSlashInPassword(url.slice(authorityAt))) return;
  const words = `"/" at character ${pathAt + 1} stands before an "@"`;
  throw new FtpullError("usage", `${words}: write it as %2F`, { hint: encodingHint });
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
