/** Removes the password from a URL (X2), malformed or within text; in doubt, more than the password. */
export function redactUrlText(text: string): string {
  const found = scheme.exec(text);
  // A colon in front of a scheme rather ends a user, whose password has slashes.
  const hasScheme = found !== null && !text.slice(0, found.index).includes(":");
  const start = hasScheme ? found.index + found[0].length : 0;
  const rest = text.slice(start);
  const colon = rest.indexOf(":");
  // A password may have an "@" or a slash: all up to the last "@" may belong to it.
  const at = rest.lastIndexOf("@");
  if (colon < 0 || (hostAndPort.test(rest) && !rest.includes("://"))) return text;
  return text.slice(0, start + colon) + (at > colon ? rest.slice(at) : ":***");
}

/** The first scheme, whose colon or slash may be missing. */
const scheme =
  /(?<![a-z0-9+.:-])(?:url:)?(?:[a-z][a-z0-9+.-]*[:;,]?)?\/\/+|^(?:url:)?[a-z][a-z0-9+.-]*:\//i;

/** A user without a password, a host and a port, and a path or what else ends the port, but no "@" right behind it. */
const hostAndPort =
  /^(?:[^:@/]*@)?(?:\[[^\]]*\]|[^:@/[]*)(?::\d{0,5})?(?:\/|[?#>][^/@]*(?:\/|$)|$)/;
