/**
 * The host of a URL, in lower case: a DNS name, an IPv4 literal, or an IPv6 literal without brackets, its zone
 * behind "%" (U6, RFC 3986 §3.2.2, RFC 6874).
 */
import { isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { type FtpullError, usageError } from "../errors.ts";
import { checkPercent, decodeOctets } from "../text/percent.ts";

export function parseHost(text: string): string {
  if (text === "") throw usageError("the URL has no host");
  return text.startsWith("[") ? parseIPv6(text) : parseName(text);
}

function parseIPv6(text: string): string {
  // The zone follows "%25" (RFC 6874), or a plain "%" as people write it.
  const [, address = "", zone] = /^\[([^%\]]*)(?:%(?:25)?(.*))?\]$/s.exec(text) ?? [];
  if (!isIPv6(address)) throw malformed(text, "is not an IPv6 address");
  if (zone === undefined) return address.toLowerCase();
  const name = decodeOctets(zone);
  if (!/^[\w.~-]+$/.test(name)) throw malformed(text, "has no usable zone");
  return `${address.toLowerCase()}%${name}`;
}

function parseName(encoded: string): string {
  checkPercent(encoded);
  const text = Buffer.from(decodeOctets(encoded), "latin1").toString();
  // domainToASCII would stop at "/", "?", "#" and "\\", drop tabs, and decode "%".
  const name = /[^\w.\-\P{ASCII}]/u.test(text) ? "" : domainToASCII(text);
  if (name === "") throw malformed(text, "is not a host name");
  return name;
}

function malformed(host: string, what: string): FtpullError {
  return usageError(`the host "${host}" ${what}`);
}
