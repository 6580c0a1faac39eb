/** Hints for failures that have none. Hints about one reply are made where it is read, as in ftp/login-steps.ts. */
import { FtpullError } from "../errors.ts";
import { isMissing, saysDenied, TransferRefused } from "../ftp/control/reply.ts";
import { DirectoryRefused } from "../ftp/path-steps.ts";
import { decoderFor } from "../text/encoding.ts";
import { quoteForShell } from "../text/escape.ts";
import { decodeOctets } from "../text/percent.ts";
import { encodingHint } from "../url/authority.ts";
import { formatFtpUrl, formatHost } from "../url/format.ts";
import { defaultPorts, type FtpUrl } from "../url/ftp-url.ts";
import { NoMatch } from "./tree/directory-task.ts";

/**
 * A request that failed. `shownUrl` has the URL's patterns; `hasGreeted`: a server has answered at the URL's
 * port in this run.
 */
export interface Failed {
  readonly url: FtpUrl;
  readonly shownUrl?: string;
  readonly hasGreeted?: boolean | undefined;
}

export function hintInTree(error: FtpullError, { segments }: FtpUrl): string | undefined {
  const name = decoderFor(undefined)(decodeOctets(segments.at(-1) ?? ""));
  if (!(error instanceof TransferRefused) || error.transient || /[*?[\],]/.test(name))
    return undefined;
  return `a file that can't be read is left out with: -R ${quoteForShell(name)}`;
}

/** The hint for a server that sends no greeting: over TLS it waits for the client's first octets. */
export function hintForSilence(url: FtpUrl): string | undefined {
  const isPlain = url.scheme === "ftps" || url.port === defaultPorts.ftp;
  return isPlain ? undefined : tlsHint(url);
}

export function hintFor(error: FtpullError, failed: Failed): string | undefined {
  return patternHint(error, failed) ?? networkHint(error, failed) ?? absenceHint(error, failed);
}

function networkHint(error: FtpullError, { url, hasGreeted = false }: Failed) {
  const mayBeWrongPort = error.kind === "network" && !hasGreeted;
  if (mayBeWrongPort && url.port === defaultPorts.ftps) return tlsHint(url);
  const cause = systemError(error.cause);
  if (cause?.code === "ENOTFOUND" || cause?.code === "EAI_AGAIN")
    return url.password !== undefined && url.segments.join("").includes("@")
      ? encodingHint
      : `see whether names are found at all, with: getent hosts ${url.host}`;
  if (cause?.code === "EMFILE")
    return "fetch fewer documents at once, with a lower -j, or raise the limit: ulimit -n";
  const isRefused = cause?.code === "ECONNREFUSED" && cause.port === url.port;
  return mayBeWrongPort && isRefused ? portHint(url) : undefined;
}

function absenceHint(error: FtpullError, { url }: Failed): string | undefined {
  const { segments, fragment } = url;
  const [first, next] = segments;
  if (isMissing(error) && saysDenied(error)) return "perhaps another user may read it: --user NAME";
  const isFirstRefused = error instanceof DirectoryRefused && error.reached.length === 0;
  if (isFirstRefused && first === "" && next !== undefined) {
    const fromRoot = { ...url, segments: [`%2F${next}`, ...segments.slice(2)] };
    return `"//" doesn't lead to the server's root, %2F does: ${command(fromRoot)}`;
  }
  if (error instanceof DirectoryRefused)
    return `see what is there with: ${command(above(url, segments.length - 2))}`;
  if (isMissing(error) && fragment !== undefined)
    return 'a URL\'s name ends before "#": write %23 where it belongs to the name';
  const isMissingName = isMissing(error) && segments.at(-1) !== "";
  if (!isMissingName && !(error instanceof NoMatch)) return undefined;
  return `list the directory with: ${command(above(url, segments.length - 1))}`;
}

function patternHint(error: FtpullError, { url, shownUrl = "" }: Failed) {
  const name = shownUrl.slice(formatFtpUrl({ ...url, typecode: undefined }).length);
  const isAbsent = error instanceof NoMatch || isMissing(error);
  if (isAbsent && /(?:\{|%7B)[^{},/]*,.*(?:\}|%7D)/.test(shownUrl))
    return "{a,b} is for bash to expand, without quotes; else give each URL";
  if (!(error instanceof NoMatch)) return undefined;
  if (/%5C[*[\]]/.test(name))
    return "within quotes a shell leaves the backslash before a wildcard: leave it out";
  if (!name.includes("[")) return undefined;
  const segments = [...url.segments.slice(0, -1), ...name.split("/")];
  return `if that is its name: ${command({ ...url, segments }, "--no-glob")}`;
}

/** Proposes the other scheme with TLS, at its usual port: the server may wait for TLS, or have none at this port. */
function tlsHint(url: FtpUrl): string {
  const scheme = url.scheme === "ftps" ? "ftpes" : "ftps";
  const isUsual = Object.values(defaultPorts).includes(url.port);
  const example = command({ ...url, scheme, port: isUsual ? defaultPorts[scheme] : url.port });
  return `TLS from the first octet is ftps:, on port 21 it is ftpes:, as in: ${example}`;
}

function portHint(url: FtpUrl): string {
  const usual = defaultPorts[url.scheme];
  return url.port === usual
    ? `a server at another port is named as in: ftp://${formatHost(url.host)}:2121/`
    : `the port of most servers is ${usual}: ${command({ ...url, port: usual })}`;
}

/** The command that fetches a URL. The user's own options, such as --proxy, belong to it, too. */
function command(url: FtpUrl, ...words: string[]): string {
  return ["ftpull", ...words, quoteForShell(formatFtpUrl(url))].join(" ");
}

function systemError(cause: unknown): (NodeJS.ErrnoException & { port?: number }) | undefined {
  if (cause instanceof AggregateError) return systemError(cause.errors[0]);
  if (cause instanceof FtpullError) return systemError(cause.cause);
  return cause instanceof Error ? cause : undefined;
}

function above(url: FtpUrl, count: number): FtpUrl {
  const segments = [...url.segments.slice(0, count), ""];
  return { ...url, segments, typecode: undefined, fragment: undefined };
}
