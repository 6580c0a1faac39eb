/** URLs for people and for files: always without the password. */
import { encodeInUrl } from "../text/escape.ts";
import { encodeOctets } from "../text/percent.ts";
import { defaultPorts, type FtpUrl, secondUrlAt } from "./ftp-url.ts";
import { formatTypecode } from "./path.ts";

/**
 * Writes a URL without its password. Read again it has the same user, host and plan; what
 * can't stand in a URL is percent-encoded, raw characters beyond ASCII stay.
 */
export function formatFtpUrl(url: FtpUrl): string {
  const port = url.port === defaultPorts[url.scheme] ? "" : `:${url.port}`;
  const authority = `${formatUser(url.user)}${formatHost(url.host)}${port}`;
  const path = url.segments.map(formatSegment).join("/");
  const tail = formatTypecode(url.typecode) + formatFragment(url.fragment);
  return `${url.scheme}://${authority}/${path}${tail}`;
}

/** Writes a host as URLs and HOST have it: IPv6 in brackets, a zone behind "%25". */
export function formatHost(host: string): string {
  return host.includes(":") ? `[${host.replace("%", "%25")}]` : host;
}

/** ";" could become a typecode; "*", "[" and "]" stay, as encoding could take away a meaning. */
function formatSegment(segment: string): string {
  return encodeOctets(encodeInUrl(segment), /[ "#;<>?\\^`{|}]/g);
}

function formatUser(user: string | undefined): string {
  return user === undefined ? "" : `${encodeOctets(user, notInUser)}@`;
}

const notInUser = /[^\w.~!$&'()*+,;=-]/g;

function formatFragment(fragment: string | undefined): string {
  if (fragment === undefined) return "";
  return `#${encodeOctets(encodeInUrl(fragment), /[ "<>\\^`{|}]/g)}`;
}

/** A URL, or another word, as a shell takes it: in a hint that is made to be copied. */
export function quoteForShell(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * Takes the password out of a URL that may be malformed, or out of a text that holds one.
 * Where the URL can't be told apart, rather more goes than the password.
 */
export function redactUrlText(text: string): string {
  const start = authorityStart(text);
  const rest = text.slice(start);
  const several = secondUrlAt(text) !== undefined || (start === 0 && /\s/.test(text));
  const end = several ? rest.lastIndexOf("@") : userinfoEnd(rest);
  const colon = rest.slice(0, Math.max(end, 0)).indexOf(":");
  if (colon >= 0) return text.slice(0, start + colon) + rest.slice(end);
  // "ftp://user:pass", where the host was forgotten, or a port with a slip of the pen.
  if (start === 0) return text;
  const pieces = several ? rest.split("//") : [rest];
  const redacted = pieces.map((piece) => piece.replace(notAPort, "$1:***"));
  return text.slice(0, start) + redacted.join("//");
}

const notAPort = /^([^/?#@:[\]]*):(?![0-9]*(?:[/?#]|$))[^/?#]*/;

/**
 * Behind the slashes that follow the first scheme or begin the text; without any, at the beginning.
 * The colon of "ftp://" may have been forgotten or mistyped.
 */
function authorityStart(text: string): number {
  if (withoutScheme.test(text)) return 0;
  const slashes = /(?:^|(?:^|[\s<("']|url:)[a-z][a-z0-9+.-]*[:;,]?)\/\/+/i;
  const match = slashes.exec(text) ?? /^(?:url:)?[a-z][a-z0-9+.-]*:\//i.exec(text);
  return match === null ? 0 : match.index + match[0].length;
}

/** A user and the colon behind it. */
const withoutScheme = /^(?!url:)[^\s/:<("']+:(?!\/)/i;

/** Where the "@" of the userinfo is, -1 for none. */
function userinfoEnd(rest: string): number {
  const [authority = ""] = rest.split("/", 1);
  if (authority.includes("@")) return authority.lastIndexOf("@");
  // "user:pass/word@host" is host "user" with port "pass" to the grammar, and no such port exists.
  const port = /^[^/?#]*?:([^/?#]*)/.exec(authority)?.[1];
  const isPort = port === undefined || (/^[0-9]*$/.test(port) && Number(port) < 65536);
  return isPort ? -1 : rest.lastIndexOf("@");
}
