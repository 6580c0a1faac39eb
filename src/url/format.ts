/**
 * Formats URLs for messages and files, always without the password: a formatted URL, parsed again, has the same
 * user, host and plan.
 */
import { encodeInUrl } from "../text/escape.ts";
import { decodeOctets, encodeName, encodeOctets } from "../text/percent.ts";
import { anonymous } from "./anonymous.ts";
import { defaultPorts, type FtpUrl, parseFtpUrl } from "./ftp-url.ts";
import { formatTypecode } from "./path.ts";
import type { Plan } from "./plan.ts";

export function formatFtpUrl(url: FtpUrl): string {
  const port = url.port === defaultPorts[url.scheme] ? "" : `:${url.port}`;
  const user = url.user === undefined ? "" : `${encodeOctets(url.user, notInUser)}@`;
  const authority = `${user}${formatHost(url.host)}${port}`;
  const path = url.segments.map(formatSegment).join("/") + formatTypecode(url.typecode);
  // Joined: a template's text would keep its parts in memory (V8), and lists have 200,000 URLs.
  return [`${url.scheme}:`, "", authority, path].join("/");
}

/** True for two spellings of one URL: `anonymous@`, the usual port and further slashes make no difference. */
export function isSameUrl(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    return identityOf(one) === identityOf(other);
  } catch {
    return false; // A text that is no URL is the same as no other.
  }
}

/** Equal for the same login, host, port and path. @throws FtpullError "usage" for a text that is no URL */
function identityOf(text: string): string {
  const { scheme, user, host, port, segments } = parseFtpUrl(text);
  const names = segments.map((segment) => decodeOctets(segment)).filter((name) => name !== "");
  return JSON.stringify([scheme, user === anonymous ? undefined : user, host, port, names]);
}

export function formatHost(host: string): string {
  return host.includes(":") ? `[${host.replace("%", "%25")}]` : host;
}

/** Encodes what isn't safe, and ";", which could begin a typecode; "*", "[" and "]" may begin a pattern, and stay. */
function formatSegment(segment: string): string {
  if (/^[\w.-]*$/.test(segment)) return segment;
  return encodeOctets(encodeInUrl(segment), /[ "#;<>?\\^`{|}]/g);
}

const notInUser = /[^\w.~!$&'()*+,;=-]/g;

/** URL of the directory that `plan` leads to, with a final slash. */
export function directoryUrl(url: FtpUrl, { cwds, name }: Pick<Plan, "cwds" | "name">): string {
  const names = name === "" ? cwds : [...cwds, name];
  const segments = [...names.map(encodeName), ""];
  return formatFtpUrl({ ...url, segments, typecode: undefined });
}
