/** Unwraps URLs in running text: `<URL:ftp://...>`, `<ftp://...>`, `URL:ftp://...` (RFC 1738, appendix). */

/** Removes the wrapper and the white space inside it (U16); without a wrapper, trims the ends. */
export function unwrap(text: string): string {
  // A pattern that begins with white space would take quadratic time for a long run of it.
  const last = text.search(/[^\t-\r ][\t-\r ]*$/);
  const trimmed = text.slice(0, last + 1).replace(/^[\t-\r ]+/, "");
  const bracketed = /^<(.*)>$/s.exec(trimmed)?.[1];
  const prefixed = /^[\t-\r ]*URL:(.*)$/is.exec(bracketed ?? trimmed)?.[1];
  const inside = prefixed ?? bracketed;
  return inside === undefined ? trimmed : inside.replace(/[\t-\r ]+/g, "");
}
