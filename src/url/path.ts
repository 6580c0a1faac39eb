/** Splits a URL's path, before it is decoded (U7), so that %2F stays inside one argument. */
import { checkPercent, type Piece } from "../text/percent.ts";

/** The encoded segments, and the typecode. An empty path means "/" (U8). @throws FtpullError "usage" */
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
  const [, name = segment, code] = /^(.*);type=([^;]*)$/is.exec(segment) ?? [];
  // RFC 1630's forms have a format (non-print, Telnet, carriage control) or the size of a byte.
  if (code === undefined || /^(?:[aeiud]|[ae][ntc]|l[1-9][0-9]{0,2})$/i.test(code))
    return { name, typecode: code?.toUpperCase().replace(/^(.)(?=.)/, "$1 "), warning: undefined };
  const what = code === "" ? 'empty ";type="' : `unknown typecode ";type=${code}"`;
  const warning = `the ${what} is ignored (a, e, i, u and d are known)`;
  return { name, typecode: undefined, warning };
}

export function formatTypecode(typecode: string | undefined): string {
  return typecode === undefined ? "" : `;type=${typecode.replace(" ", "").toLowerCase()}`;
}
