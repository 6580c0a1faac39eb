/** Formats URLs for messages and files, always without the password. */
import { encodeInUrl } from "../text/escape.ts";
import { encodeOctets } from "../text/percent.ts";
import { defaultPorts, type FtpUrl, secondUrlAt } from "./ftp-url.ts";
import { formatTypecode } from "./path.ts";

/** A URL without its password. Parsed again, it has the same user, host and plan. */
export function formatFtpUrl(url: FtpUrl): string {
  const port = url.port === defaultPorts[url.scheme] ? "" : `:${url.port}`;
  const user = url.user === undefined ? "" : `${encodeOctets(url.user, notInUser)}@`;
  const authority = `${user}${formatHost(url.host)}${port}`;
  const path = url.segments.map(formatSegment).join("/") + formatTypecode(url.typecode);
  return `${url.scheme}://${authority}/${path}${formatFragment(url.fragment)}`;
}

/** As in URLs and HOST: IPv6 in brackets, a zone behind "%25". */
export function formatHost(host: string): string {
  return host.includes(":") ? `[${host.replace("%", "%25")}]` : host;
}

/** ";" could begin a typecode; "*", "[" and "]" stay, since they may have a meaning. */
function formatSegment(segment: string): string {
  if (/^[\w.-]*$/.test(segment)) return segment; // most are such
  return encodeOctets(encodeInUrl(segment), /[ "#;<>?\\^`{|}]/g);
}

const notInUser = /[^\w.~!$&'()*+,;=-]/g;

function formatFragment(fragment: string | undefined): string {
  if (fragment === undefined) return "";
  return `#${encodeOctets(encodeInUrl(fragment), /[ "<>\\^`{|}]/g)}`;
}

export function quoteForShell(word: string): string {
  return /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Removes the password from a URL, malformed or within text; in doubt, more than that. */
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

const notAPort = /^([^/?#@:[\]]*):(?![0-9]*(?:[/?#]|$))[^/?#]*/;

/** Behind the slashes of the first scheme or "://", else 0. Its colon may be missing or mistyped. */
function authorityStart(text: string): number {
  if (withoutScheme.test(text)) return 0;
  const slashes = /(?:^|:|(?:^|[\s<("']|url:)[a-z][a-z0-9+.-]*[:;,]?)\/\/+/i;
  const match = slashes.exec(text) ?? /^(?:url:)?[a-z][a-z0-9+.-]*:\//i.exec(text);
  return match === null ? 0 : match.index + match[0].length;
}

const withoutScheme = /^(?!url:)[^\s/:<("']+:(?!\/)/i;

/** The index of the "@" of the userinfo, or -1. */
function userinfoEnd(rest: string): number {
  const [authority = ""] = rest.split("/", 1);
  if (authority.includes("@")) return authority.lastIndexOf("@");
  // By the grammar "user:pass/word@host" is the host "user" with the port "pass", which is none.
  const port = /^[^/?#]*?:([^/?#]*)/.exec(authority)?.[1];
  const isPort = port === undefined || (/^[0-9]*$/.test(port) && Number(port) < 65536);
  return isPort ? -1 : rest.lastIndexOf("@");
}
