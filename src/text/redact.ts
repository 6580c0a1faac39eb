/** Removes the password from a URL (X2), malformed or within text; in doubt, more than that. */
export function redactUrlText(text: string): string {
  const start = authorityStart(text);
  const rest = text.slice(start);
  const isUrl = text.slice(0, start).endsWith("://");
  const several = secondUrlAt(text) !== undefined || (!isUrl && /:\/\/|\s/.test(rest));
  const end = several ? rest.lastIndexOf("@") : userinfoEnd(rest);
  const colon = rest.slice(0, Math.max(end, 0)).indexOf(":");
  if (colon >= 0) return text.slice(0, start + colon) + rest.slice(end);
  // "ftp://user:pass" without a host, or a mistyped port.
  if (start === 0) return text;
  const pieces = several ? rest.split("//") : [rest];
  const redacted = pieces.map((piece) => piece.replace(notAPort, "$1:***"));
  return text.slice(0, start) + redacted.join("//");
}

const notAPort = /^([^/?#@:[\]]*):(?![0-9]*(?:[/?#]|>?$))[^/?#]*/;

/** Index behind the slashes of the first scheme or "://", else 0. The colon may be missing or mistyped. */
function authorityStart(text: string): number {
  if (withoutScheme.test(text)) return 0;
  const slashes = /(?:^|:|(?:^|[\s<("']|url:)[a-z][a-z0-9+.-]*[:;,]?)\/\/+/i;
  const match = slashes.exec(text) ?? /^(?:url:)?[a-z][a-z0-9+.-]*:\//i.exec(text);
  return match === null ? 0 : match.index + match[0].length;
}

const withoutScheme = /^(?!url:)[^\s/:<("']+:(?!\/)/i;

function userinfoEnd(rest: string): number {
  const [authority = ""] = rest.split("/", 1);
  const end = authority.lastIndexOf("@");
  // As in ftp-url.ts, a "#" or "?" before a later "@" belongs to the password.
  const isLonger = /^[^?#]*[?#][^/]*@/.test(rest.slice(end));
  if (end >= 0) return isLonger && /^[^@]*:/.test(rest) ? rest.lastIndexOf("@") : end;
  // In RFC 1738's grammar "user:pass/word@host" is the host "user" with the port "pass", which is none.
  const port = /^[^/?#]*?:([^/?#]*)/.exec(authority)?.[1];
  const isPort = port === undefined || (/^[0-9]*$/.test(port) && Number(port) < 65536);
  return isPort ? -1 : rest.lastIndexOf("@");
}

/** Index of a second URL's "://", as in "ftp://ftp://u:p@h/x": its password would be sent and shown as a name. */
export function secondUrlAt(text: string): number | undefined {
  const pieces = text.split("://");
  let at = 0;
  for (const [index, piece] of pieces.slice(0, -1).entries()) {
    at += piece.length;
    const hasUser = /^[^/]*@/.test(pieces[index + 1] ?? "");
    if (index > 0 && (hasUser || isScheme(piece, index))) return at;
    at += 3;
  }
  return undefined;
}

function isScheme(piece: string, index: number): boolean {
  const isFirst = index === 1 && /^[a-z][a-z0-9+.-]*$/i.test(piece);
  return isFirst || /(?:[\s<>",;]|url:)[a-z][a-z0-9+.-]*$/i.test(piece.slice(-30));
}
