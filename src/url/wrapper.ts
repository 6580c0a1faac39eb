/**
 * What people put round a URL in running text: `<URL:ftp://...>`, `<ftp://...>`, `URL:ftp://...`
 * (RFC 1738, appendix).
 */

/**
 * Takes a URL out of its wrapper, together with the white space that mail and paper put
 * inside (U16); a hyphen before a line break is kept. Without a wrapper only the ends are trimmed.
 */
export function unwrap(text: string): string {
  const trimmed = text.replace(/^[\t-\r ]+|[\t-\r ]+$/g, "");
  const bracketed = /^<(.*)>$/s.exec(trimmed)?.[1];
  const prefixed = /^[\t-\r ]*URL:(.*)$/is.exec(bracketed ?? trimmed)?.[1];
  const inside = prefixed ?? bracketed;
  return inside === undefined ? trimmed : inside.replace(/[\t-\r ]+/g, "");
}
