/**
 * Removes the password from a text that may be a URL, malformed or not (X2); in doubt, more than the password. Linear
 * in the text's length.
 */
export function redactUrlText(text: string): string {
  const found = scheme.exec(text);
  // A colon in front of a scheme rather ends a user, whose password has slashes.
  const hasScheme = found !== null && !text.slice(0, found.index).includes(":");
  const start = hasScheme ? found.index + found[0].length : 0;
  const rest = text.slice(start);
  const colon = rest.indexOf(":");
  if (colon < 0 || hasNoPassword(rest)) return text;
  // A password may have an "@" or a slash: all up to the last "@" may belong to it.
  const at = rest.lastIndexOf("@");
  if (at > colon) return text.slice(0, start + colon) + rest.slice(at);
  return `${text.slice(0, start + colon)}:***`;
}

/** The first scheme, whose colon or slash may be missing. */
const scheme =
  /(?<![a-z0-9+.:-])(?:url:)?(?:[a-z][a-z0-9+.-]*[:;,]?)?\/\/+|^(?:url:)?[a-z][a-z0-9+.-]*:\//i;

/** True if the text begins with a host and a port that is one, and has no second URL. */
function hasNoPassword(rest: string): boolean {
  const [, port] = hostAndPort.exec(rest) ?? [];
  return port !== undefined && Number(port) < 65536 && !rest.includes("://");
}

/** A user without a password, a host and a port, and a path or what else ends the port, but no "@" right behind it. */
const hostAndPort = /^(?:[^:@/]*@)?(?:\[[^\]]*\]|[^:@/[]*):?(\d{0,5})(?:\/|[?#>][^/@]*(?:\/|$)|$)/;
