/**
 * Parses the authority of a URL, `user:password@host:port` (RFC 1738 §3.1); the last "@" ends the userinfo (U4).
 * Errors are FtpullError "usage", and quote no part of a password.
 */
import { usageError } from "../errors.ts";
import { checkPercent, decodeOctets } from "../text/percent.ts";
import { parseHost } from "./host.ts";

/** `path` stands behind the authority: with an "@" it may be a part of a password. */
export function parseAuthority(text: string, path = "") {
  const end = text.lastIndexOf("@");
  if (end < 0)
    return { user: undefined, password: undefined, ...parseHostAndPort(text, path), warnings: [] };
  const userinfo = text.slice(0, end);
  return {
    ...parseUserinfo(userinfo),
    ...parseHostAndPort(text.slice(end + 1), ""),
    warnings: userinfo.includes("@") ? [unencodedAt] : [],
  };
}

export const encodingHint =
  'in a user name or a password write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F and "#" as %23';

const unencodedAt =
  'the user or the password has an unencoded "@": the last one was taken as its end (write %40)';

function parseUserinfo(userinfo: string) {
  const [user = "", password] = userinfo.split(/:(.*)/s);
  checkPercent(user);
  if (/%(?![0-9a-f]{2})/i.test(password ?? ""))
    throw usageError('a "%" in the password begins no percent-encoding', encodingHint);
  checkPercent(password ?? "");
  return { user: decodeOctets(user), password: password && decodeOctets(password) };
}

function parseHostAndPort(text: string, path: string) {
  const [, host, port] = /^(\[[^\]]*\]|[^:[]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === undefined) throw usageError("the host is malformed", bracketsHint);
  return { host: parseHost(host), port: port ? parsePort(port, path) : undefined };
}

function parsePort(text: string, path: string): number {
  const port = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (port > 0 && port < 65536) return port;
  // The text isn't quoted: in "ftp://user:pass/word@host/" it is the beginning of the password.
  const otherHint = text.includes(":") ? bracketsHint : undefined;
  const hint = path.includes("@") ? encodingHint : otherHint;
  throw usageError("the port is not a number from 1 to 65535", hint);
}

const bracketsHint = "write an IPv6 address in brackets: ftp://[2001:db8::1]/";
