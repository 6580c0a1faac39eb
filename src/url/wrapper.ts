/**
 * Unwraps URLs in running text: `<URL:ftp://...>`, `<ftp://...>`, `URL:ftp://...` (RFC 1738, appendix), without the
 * white space inside the wrapper (U16); other text loses the white space at its ends.
 */
export function unwrap(text: string): string {
  // A pattern that begins with white space would take quadratic time for a long run of white space.
  const last = text.search(/[^\t-\r ][\t-\r ]*$/);
  const trimmed = text.slice(0, last + 1).replace(/^[\t-\r ]+/, "");
  const bracketed = /^<(.*)>$/s.exec(trimmed)?.[1];
  const prefixed = /^[\t-\r ]*URL:(.*)$/is.exec(bracketed ?? trimmed)?.[1];
  const inside = prefixed ?? bracketed;
  return inside === undefined ? trimmed : inside.replace(/[\t-\r ]+/g, "");
}
