/**
 * Formats URLs for messages and files, always without the password: a formatted URL, parsed again, has the same
 * user, host and plan.
 */
import { encodeInUrl } from "../text/escape.ts";
import { decodeOctets, encodeName, encodeOctets, utf8Octets } from "../text/percent.ts";
import { defaultPorts, type FtpUrl, parseFtpUrl } from "./ftp-url.ts";
import { formatTypecode } from "./path.ts";
import type { Plan } from "./plan.ts";

export function formatFtpUrl(url: FtpUrl): string {
  const port = url.port === defaultPorts[url.scheme] ? "" : `:${url.port}`;
  const user = url.user === undefined ? "" : `${encodeOctets(url.user, notInUser)}@`;
  const authority = `${user}${formatHost(url.host)}${port}`;
  const path = url.segments.map(formatSegment).join("/") + formatTypecode(url.typecode);
  return `${url.scheme}://${authority}/${path}${formatFragment(url.fragment)}`;
}

/**
 * Spells a URL so that it is equal for the same login, host, port and path; all paths end in a slash. @throws
 * FtpullError "usage" for a text that is no URL
 */
export function canonicalUrl(text: string): string {
  const url = parseFtpUrl(text);
  const user = url.user === "anonymous" ? undefined : url.user;
  const names = url.segments.map((segment) => decodeOctets(segment));
  const segments = [...names.filter((name) => name !== "").map((name) => encodeName(name)), ""];
  return formatFtpUrl({ ...url, user, segments, typecode: undefined });
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

function formatFragment(fragment: string | undefined): string {
  if (fragment === undefined) return "";
  return `#${encodeOctets(encodeInUrl(fragment), /[ "<>\\^`{|}]/g)}`;
}

/** Options whose effect a URL can have in their place; `user`, as text, is for a URL that names none. */
export interface UrlAdditions {
  readonly root?: boolean;
  readonly tls?: boolean;
  readonly user?: string | undefined;
}

/**
 * URL of the directory that `plan` leads to, with a final slash. A command with this URL needs none of --root,
 * --tls and --user, and may have them.
 */
export function directoryUrl(url: FtpUrl, plan: Plan, { root, ...others }: UrlAdditions): string {
  const cwds = plan.name === "" ? plan.cwds : [...plan.cwds, plan.name];
  // "." leads to the login directory both with --root and without it.
  const isBelowLogin = root && cwds[0] !== "/";
  const start = isBelowLogin ? ["."] : [];
  return formatFtpUrl({
    ...withAdditions(url, others),
    segments: [...start, ...cwds.map(encodeName), ""],
    typecode: undefined,
    fragment: undefined,
  });
}

export function withAdditions(url: FtpUrl, { tls, user }: Omit<UrlAdditions, "root">): FtpUrl {
  const scheme = tls && url.scheme === "ftp" ? "ftpes" : url.scheme;
  return { ...url, scheme, user: url.user ?? (user && utf8Octets(user)) };
}
