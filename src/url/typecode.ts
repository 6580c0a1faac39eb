/**
 * The typecode at the end of a path: `;type=` and what RFC 1738, its successor drafts and
 * RFC 1630 allow behind it.
 */

/** The last segment without its typecode, and the typecode as TYPE sends it ("D" for a directory). */
export interface TypedName {
  readonly name: string;
  readonly typecode: string | undefined;
  readonly warning: string | undefined;
}

/** Splits `;type=x` off a path's last segment; what isn't known is dropped with a warning (U9, U10). */
export function splitTypecode(segment: string): TypedName {
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

/** Writes a typecode as `splitTypecode` reads it. */
export function formatTypecode(typecode: string | undefined): string {
  return typecode === undefined ? "" : `;type=${typecode.replace(" ", "").toLowerCase()}`;
}
