/** Splits a URL's path, before it is decoded (U7), so that %2F stays inside one argument. */
import { checkPercent, type Piece } from "../text/percent.ts";

/**
 * The percent-encoded segments, with the name as the last one, and the typecode. `path` begins with
 * "/" or is empty, which means the same (U8). @throws FtpullError "usage"
 */
export function parsePath(piece: Piece) {
  checkPercent(piece);
  const cwds = piece.text.slice(1).split("/");
  const { name, typecode, warning } = splitTypecode(cwds.pop() ?? "");
  const segments = [...cwds, name];
  const semicolon = segments.some((segment) => segment.includes(";")) ? rawSemicolon : undefined;
  const warnings = [warning, semicolon].filter((text) => text !== undefined);
  return { segments, typecode, warnings };
}

const rawSemicolon = 'a ";" in the path that begins no typecode is taken literally (write %3B)';

/** Splits off `;type=x`; unknown typecodes are dropped with a warning (U9, U10). */
export function splitTypecode(segment: string) {
  const match = /^(.*);type=([^;]*)$/is.exec(segment);
  if (match === null) return { name: segment, typecode: undefined, warning: undefined };
  const [, name = "", code = ""] = match;
  const typecode = readTypecode(code.toLowerCase());
  return { name, typecode, warning: typecode === undefined ? warningFor(code) : undefined };
}

function readTypecode(code: string): string | undefined {
  if (/^[aeiud]$/.test(code)) return code.toUpperCase();
  // RFC 1630's forms: a format (non-print, Telnet, carriage control) or the size of a byte.
  if (/^(?:[ae][ntc]|l[1-9][0-9]{0,2})$/.test(code))
    return `${code.slice(0, 1)} ${code.slice(1)}`.toUpperCase();
  return undefined;
}

function warningFor(code: string): string {
  const known = "(a, e, i, u and d are known)";
  return code === ""
    ? `the empty ";type=" is ignored ${known}`
    : `the unknown typecode ";type=${code}" is ignored ${known}`;
}

export function formatTypecode(typecode: string | undefined): string {
  return typecode === undefined ? "" : `;type=${typecode.replace(" ", "").toLowerCase()}`;
}
