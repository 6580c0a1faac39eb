/**
 * The host of a URL, in lower case: a DNS name, an IPv4 literal, or an IPv6 literal without brackets, its zone
 * behind "%" (U6, RFC 3986 §3.2.2, RFC 6874).
 */
import { isUtf8 } from "node:buffer";
import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { FtpullError } from "../errors.ts";
import { checkPercent, decodeOctets, type Piece } from "../text/percent.ts";

export function parseHost(piece: Piece): string {
  if (piece.text === "") throw new FtpullError("usage", "the URL has no host");
  return piece.text.startsWith("[") ? parseIPv6(piece.text) : parseName(piece);
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

function parseName(piece: Piece): string {
  const text = decodeName(piece);
  const name = toASCII(text);
  if (name === undefined) throw malformed(text, "is not a host name");
  if (!endsInNumber(name)) return checkedName(name, text);
  // Systems differ in how they read "127.1" or "010.0.0.1".
  if (!isIPv4(name)) throw malformed(text, "is not an IPv4 address of four numbers up to 255");
  return name;
}

function decodeName(piece: Piece): string {
  checkPercent(piece);
  const octets = Buffer.from(decodeOctets(piece.text), "latin1");
  if (!isUtf8(octets)) throw malformed(piece.text, "is not UTF-8");
  return octets.toString("utf8");
}

function toASCII(text: string): string | undefined {
  // domainToASCII would stop at "/", "?", "#" and "\", drop tabs, and decode "%".
  if (/[^\w.\-\P{ASCII}]/u.test(text)) return undefined;
  // domainToASCII would read "1.2.3" as the address 1.2.0.3, but not with ".x" behind.
  const ascii = domainToASCII(`${text}.x`);
  return ascii.endsWith(".x") ? ascii.slice(0, -2) : undefined;
}

/** True for what the URL standard takes for an IPv4 address. */
function endsInNumber(name: string): boolean {
  return /(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.?$/.test(name);
}

/** The name, if it is within the limits of DNS (RFC 1035 §2.3.4); a final dot stands for the root. */
function checkedName(name: string, text: string): string {
  const bare = name.replace(/\.$/, "");
  const labels = bare.split(".");
  if (labels.includes("")) throw malformed(text, "has an empty label");
  if (bare.length > 253 || labels.some((label) => label.length > 63))
    throw malformed(text, "is longer than DNS allows");
  return name;
}

function malformed(host: string, what: string): FtpullError {
  return new FtpullError("usage", `the host "${host}" ${what}`);
}
