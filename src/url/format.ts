/** Formats URLs for messages and files, always without the password. */
import { encodeInUrl } from "../text/escape.ts";
import { encodeOctets } from "../text/percent.ts";
import { defaultPorts, type FtpUrl } from "./ftp-url.ts";
import { formatTypecode } from "./path.ts";

/** Formats a URL that, parsed again, has the same user, host and plan. */
export function formatFtpUrl(url: FtpUrl): string {
  const port = url.port === defaultPorts[url.scheme] ? "" : `:${url.port}`;
  const user = url.user === undefined ? "" : `${encodeOctets(url.user, notInUser)}@`;
  const authority = `${user}${formatHost(url.host)}${port}`;
  const path = url.segments.map(formatSegment).join("/") + formatTypecode(url.typecode);
  return `${url.scheme}://${authority}/${path}${formatFragment(url.fragment)}`;
}

/** A host as in URLs and in HOST: IPv6 in brackets, a zone behind "%25". */
export function formatHost(host: string): string {
  return host.includes(":") ? `[${host.replace("%", "%25")}]` : host;
}

/** ";" could begin a typecode; "*", "[" and "]" stay, since they may have a meaning. */
function formatSegment(segment: string): string {
  if (/^[\w.-]*$/.test(segment)) return segment;
  return encodeOctets(encodeInUrl(segment), /[ "#;<>?\\^`{|}]/g);
}

const notInUser = /[^\w.~!$&'()*+,;=-]/g;

function formatFragment(fragment: string | undefined): string {
  if (fragment === undefined) return "";
  return `#${encodeOctets(encodeInUrl(fragment), /[ "<>\\^`{|}]/g)}`;
}
