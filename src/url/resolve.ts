/** Resolves relative references (RFC 3986 §5); no character that is kept is changed. */
import { FtpullError } from "../errors.ts";
import { unwrap } from "./wrapper.ts";

/**
 * Resolves a reference against a base (U17). An absolute URL of any scheme stays, with its dot segments (U18).
 * The base's `;type=d` counts as a slash; other typecodes are dropped. @throws FtpullError "usage"
 */
export function resolveReference(reference: string, base: string): string {
  const relative = splitReference(unwrap(reference));
  if (relative.scheme !== undefined) return reference;
  const { scheme, authority, ...rest } = splitReference(unwrap(base));
  if (scheme === undefined || authority === undefined)
    throw new FtpullError("usage", "the base of a relative URL must be a URL with a host");
  const path = directoryTypecodeAsSlash(rest.path);
  if (relative.authority !== undefined)
    return join({ ...relative, scheme, path: removeDotSegments(relative.path) });
  if (relative.path === "")
    return join({ ...relative, scheme, authority, path, query: relative.query ?? rest.query });
  const merged = removeDotSegments(mergePaths(relative.path, path));
  return join({ ...relative, scheme, authority, path: merged });
}

export interface Reference {
  readonly scheme: string | undefined;
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string | undefined;
  readonly fragment: string | undefined;
}

export function splitReference(text: string): Reference {
  const [, scheme, authority, path = "", query, fragment] =
    /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(text) ??
    [];
  return { scheme, authority, path, query, fragment };
}

function join({ scheme, authority, path, query, fragment }: Reference): string {
  const tail =
    (query === undefined ? "" : `?${query}`) + (fragment === undefined ? "" : `#${fragment}`);
  return `${scheme}://${authority}${path}${tail}`;
}

function directoryTypecodeAsSlash(path: string): string {
  const [, bare = path, code] = /^(.*);type=([^;/]*)$/is.exec(path) ?? [];
  const isDirectory = code?.toLowerCase() === "d" && !bare.endsWith("/");
  return isDirectory ? `${bare}/` : bare;
}

function mergePaths(relative: string, base: string): string {
  if (relative.startsWith("/")) return relative;
  return `${base.slice(0, base.lastIndexOf("/") + 1) || "/"}${relative}`;
}

/** Removes "." and ".." (RFC 3986 §5.2.4) from a path that begins with "/" or is empty. */
function removeDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  if (/\/\.\.?$/.test(path)) kept.push("");
  return path === "" ? "" : `/${kept.join("/")}`;
}
