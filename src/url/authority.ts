/**
 * Parses the authority of a URL, `user:password@host:port` (RFC 1738 §3.1); the last "@" ends the userinfo (U4).
 * Errors are FtpullError "usage", and quote no part of a password.
 */
import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { type FtpullError, usageError } from "../errors.ts";
import { hints } from "../hints.ts";
import { checkPercent, decodeOctets } from "../text/percent.ts";

/** `path` stands behind the authority: with an "@" it may be a part of a password. */
export function parseAuthority(text: string, path = "") {
  const end = text.lastIndexOf("@");
  if (end < 0)
    return { user: undefined, password: undefined, warnings: [], ...parseHostAndPort(text, path) };
  const userinfo = text.slice(0, end);
  return {
    ...parseUserinfo(userinfo),
    ...parseHostAndPort(text.slice(end + 1), ""),
    warnings: userinfo.includes("@") ? [unencodedAt] : [],
  };
}

const unencodedAt =
  'the user or the password has an unencoded "@": the last one was taken as its end (write %40)';

function parseUserinfo(userinfo: string) {
  const [user = "", password] = userinfo.split(/:(.*)/s);
  checkPercent(user);
  if (/%(?![0-9a-f]{2})/i.test(password ?? ""))
    throw usageError('a "%" in the password begins no percent-encoding', hints.encoding);
  checkPercent(password ?? "");
  return { user: decodeOctets(user), password: password && decodeOctets(password) };
}

function parseHostAndPort(text: string, path: string) {
  const [, host, port] = /^(\[[^\]]*\]|[^:[]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === undefined) throw usageError(malformedHost);
  return { host: parseHost(host), port: port ? parsePort(port, path) : undefined };
}

function parsePort(text: string, path: string): number {
  const port = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (port > 0 && port < 65536) return port;
  // The text isn't quoted: in "ftp://user:pass/word@host/" it is the beginning of the password.
  const hint = path.includes("@") ? hints.encoding : undefined;
  if (text.includes(":") && hint === undefined) throw usageError(malformedHost);
  throw usageError("the port is not a number from 1 to 65535", hint);
}

const malformedHost = "the host is malformed: an IPv6 address stands in brackets, as [2001:db8::1]";

function parseHost(text: string): string {
  if (text === "") throw usageError("the URL has no host");
  return text.startsWith("[") ? parseIPv6(text) : parseName(text);
}

function parseIPv6(text: string): string {
  // The zone follows "%25" (RFC 6874), or a plain "%" as people write it.
  const [, address = "", zone] = /^\[([^%\]]*)(?:%(?:25)?(.*))?\]$/s.exec(text) ?? [];
  if (!isIPv6(address)) throw malformed(text, "is not an IPv6 address");
  if (zone === undefined) return address.toLowerCase();
  const name = decodeOctets(zone);
  if (!/^[\w.~-]+$/.test(name)) throw malformed(text, "has no usable zone");
  return `${address.toLowerCase()}%${name}`;
}

function parseName(encoded: string): string {
  checkPercent(encoded);
  const text = Buffer.from(decodeOctets(encoded), "latin1").toString();
  // domainToASCII would stop at "/", "?", "#" and "\\", drop tabs, and decode "%".
  const name = /[^\w.\-\P{ASCII}]/u.test(text) ? "" : domainToASCII(text);
  if (name === "") throw malformed(text, "is not a host name");
  return name;
}

function malformed(host: string, what: string): FtpullError {
  return usageError(`the host "${host}" ${what}`);
}
