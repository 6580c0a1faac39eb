/** Removes the password from a URL (X2), malformed or within text; in doubt, more than the password. */
export function redactUrlText(text: string): string {
  const start = authorityStart(text);
  const before = text.slice(0, start);
  const rest = text.slice(start);
  const hasSeveral = secondUrlAt(text) !== undefined || mayHoldAnotherUrl(before, rest);
  const end = hasSeveral ? rest.lastIndexOf("@") : userinfoEnd(rest);
  const colon = rest.indexOf(":");
  if (colon !== -1 && colon < end) return before + rest.slice(0, colon) + rest.slice(end);
  if (start === 0) return text;
  const pieces = hasSeveral ? rest.split("//") : [rest];
  return before + pieces.map((piece) => piece.replace(wrongPort, "$1:***")).join("//");
}

function mayHoldAnotherUrl(before: string, rest: string): boolean {
  const hasScheme = before.endsWith("://");
  return !hasScheme && /:\/\/|\s/.test(rest);
}

/** A password of "ftp://user:pass" without a host, or a mistyped port. */
const wrongPort = /^([^/?#@:[\]]*):(?![0-9]*(?:[/?#]|>?$))[^/?#]*/;

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
  if (end !== -1) return goesOnBehind(rest, end) ? rest.lastIndexOf("@") : end;
  // In RFC 1738's grammar "user:pass/word@host" is the host "user" with the port "pass", which is none.
  const port = /^[^/?#]*?:([^/?#]*)/.exec(authority)?.[1];
  if (port === undefined) return -1;
  const isPort = /^[0-9]*$/.test(port) && Number(port) < 65536;
  return isPort ? -1 : rest.lastIndexOf("@");
}

/** True if a password goes on behind its "@": as in ftp-url.ts, a "#" or "?" before a later "@" belongs to it. */
function goesOnBehind(rest: string, at: number): boolean {
  const hasPassword = /^[^@]*:/.test(rest);
  return hasSlashInPassword(rest) || (hasPassword && /^[^?#]*[?#][^/]*@/.test(rest.slice(at)));
}

/** True if a password with an "@" seems to go on behind a slash: `u:p@ss/word@example.org/`. */
export const hasSlashInPassword = (authorityAndPath: string): boolean =>
  passwordWithSlash.test(authorityAndPath);

const hostWithoutDot = String.raw`(?!localhost/)[^.:@/[\]]+`;
const address = String.raw`\d+(?:\.\d+){3}`;
const hostWithDot = String.raw`(?:[\w-]+\.)+[a-z]{2,}`;
const hostBeforePort = String.raw`[\w.-]+(?=:\d)`;
const passwordWithSlash = new RegExp(
  `^[^/]*:[^/]*@${hostWithoutDot}/[^]*@` +
    String.raw`(?:${address}|${hostWithDot}|${hostBeforePort})(?::\d+)?/`,
  "i",
);

/** Index of a second URL's "://", as in "ftp://ftp://u:p@h/x": its password would be sent and shown as a name. */
export function secondUrlAt(text: string): number | undefined {
  const [first = "", ...others] = text.split("://");
  let at = first.length;
  for (const [index, piece] of others.slice(0, -1).entries()) {
    at += "://".length + piece.length;
    const isDoubledScheme = index === 0 && /^[a-z][a-z0-9+.-]*$/i.test(piece);
    const hasUser = /^[^/]*@/.test(others[index + 1] ?? "");
    if (isDoubledScheme || hasUser || endsInScheme(piece)) return at;
  }
  return undefined;
}

function endsInScheme(piece: string): boolean {
  return /(?:[\s<>",;]|url:)[a-z][a-z0-9+.-]*$/i.test(piece.slice(-30));
}
