/** The authority of a URL (RFC 1738 §3.1). Errors quote nothing that may be part of a password. */
import { isIPv6 } from "node:net";
import { FtpullError } from "../errors.ts";
import { checkPercent, decodeOctets, type Piece } from "../text/percent.ts";
import { parseHost } from "./host.ts";

/** The last "@" ends the userinfo (U4). @throws FtpullError "usage" */
export function parseAuthority({ text, at }: Piece) {
  const end = text.lastIndexOf("@");
  const userinfo = text.slice(0, Math.max(end, 0));
  return {
    ...(end < 0 ? noUserinfo : parseUserinfo({ text: userinfo, at })),
    ...parseHostAndPort({ text: text.slice(end + 1), at: at + end + 1 }),
    warnings: userinfo.includes("@") ? [unencodedAt] : [],
  };
}

export const encodingHint =
  'in a user name or a password write "%" as %25, "@" as %40, "/" as %2F, "?" as %3F and "#" as %23';

const noUserinfo = { user: undefined, password: undefined };

const unencodedAt =
  'the user or the password has an unencoded "@": the last one was taken as its end (write %40)';

function parseUserinfo({ text, at }: Piece) {
  const colon = text.indexOf(":");
  if (colon < 0) return { user: decodePart({ text, at }), password: undefined };
  return {
    user: decodePart({ text: text.slice(0, colon), at }),
    password: decodePart({ text: text.slice(colon + 1), at: at + colon + 1 }, true),
  };
}

function decodePart(piece: Piece, secret = false): string {
  checkPercent(piece, secret);
  return decodeOctets(piece.text);
}

/** A port that is absent or empty is undefined (U3). */
function parseHostAndPort({ text, at }: Piece) {
  const [, host, port] = /^(\[[^\]]*\]|[^:[]*)(?::(.*))?$/s.exec(text) ?? [];
  // Node's check takes a tenth of the program's start, so it is used only if needed.
  if (host === undefined || (/:.*:/.test(text) && isIPv6(text))) {
    const hint = "write an IPv6 address in brackets: ftp://[2001:db8::1]/";
    throw new FtpullError("usage", `the host at character ${at + 1} is malformed`, { hint });
  }
  return {
    host: parseHost({ text: host, at }),
    port: port ? parsePort({ text: port, at: at + host.length + 1 }) : undefined,
  };
}

function parsePort({ text, at }: Piece): number {
  const port = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (port > 0 && port < 65536) return port;
  // In "ftp://user:pass/word@host/" this text is the beginning of the password: not quoted.
  const words = `the port at character ${at + 1} is not a number from 1 to 65535`;
  throw new FtpullError("usage", words, { hint: encodingHint });
}
