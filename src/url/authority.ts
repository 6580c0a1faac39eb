/**
 * Parses the authority of a URL, `user:password@host:port` (RFC 1738 §3.1); the last "@" ends the userinfo (U4).
 * Errors are FtpullError "usage", and quote no part of a password.
 */
import { usageError } from "../errors.ts";
import { checkPercent, decodeOctets, type Piece } from "../text/percent.ts";
import { parseHost } from "./host.ts";

/** `path` stands behind the authority: with an "@" it may be a part of a password. */
export function parseAuthority({ text, at }: Piece, path = "") {
  const end = text.lastIndexOf("@");
  if (end < 0)
    return {
      user: undefined,
      password: undefined,
      ...parseHostAndPort({ text, at }, path),
      warnings: [],
    };
  const userinfo = text.slice(0, end);
  return {
    ...parseUserinfo({ text: userinfo, at }),
    ...parseHostAndPort({ text: text.slice(end + 1), at: at + end + 1 }, ""),
    warnings: userinfo.includes("@") ? [unencodedAt] : [],
  };
}

export const encodingHint =
  'in a user name or a password write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F and "#" as %23';

const unencodedAt =
  'the user or the password has an unencoded "@": the last one was taken as its end (write %40)';

function parseUserinfo({ text, at }: Piece) {
  const colon = text.indexOf(":");
  if (colon < 0) return { user: decodePart({ text, at }), password: undefined };
  return {
    user: decodePart({ text: text.slice(0, colon), at }),
    password: decodePart({ text: text.slice(colon + 1), at: at + colon + 1, isSecret: true }),
  };
}

function decodePart(piece: Piece): string {
  checkPercent(piece);
  return decodeOctets(piece.text);
}

function parseHostAndPort({ text, at }: Piece, path: string) {
  const [, host, port] = /^(\[[^\]]*\]|[^:[]*)(?::(.*))?$/s.exec(text) ?? [];
  if (host === undefined)
    throw usageError(`the host at character ${at + 1} is malformed`, bracketsHint);
  return {
    host: parseHost({ text: host, at }),
    port: port ? parsePort({ text: port, at: at + `${host}:`.length }, path) : undefined,
  };
}

function parsePort({ text, at }: Piece, path: string): number {
  const port = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (port > 0 && port < 65536) return port;
  // The text isn't quoted: in "ftp://user:pass/word@host/" it is the beginning of the password.
  const words = `the port at character ${at + 1} is not a number from 1 to 65535`;
  const otherHint = text.includes(":") ? bracketsHint : undefined;
  throw usageError(words, path.includes("@") ? encodingHint : otherHint);
}

const bracketsHint = "write an IPv6 address in brackets: ftp://[2001:db8::1]/";
