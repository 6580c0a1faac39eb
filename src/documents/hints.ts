/** Hints for failures: a command with the document's own URL, or a thing to check. */
import { FtpullError } from "../errors.ts";
import { isMissing } from "../ftp/control/reply.ts";
import { DirectoryRefused } from "../ftp/path-steps.ts";
import { formatFtpUrl, formatHost, quoteForShell } from "../url/format.ts";
import { defaultPorts, type FtpUrl } from "../url/ftp-url.ts";

/** Adds a hint to a failure that has none; `remains` tells how to resume. */
export function withHint(
  error: FtpullError,
  url: FtpUrl,
  remains: string | undefined,
): FtpullError {
  const hint = error.hint ?? remains ?? hintFor(error, url);
  return hint === error.hint
    ? error
    : new FtpullError(error.kind, error.message, { hint, cause: error });
}

function hintFor(error: FtpullError, url: FtpUrl): string | undefined {
  const cause = systemError(error.cause);
  if (cause?.code === "ENOTFOUND" || cause?.code === "EAI_AGAIN")
    return `see whether names are found at all, with: getent hosts ${url.host}`;
  if (cause?.code === "ECONNREFUSED" && cause.port === url.port) return portHint(url);
  if (error instanceof DirectoryRefused) return `see what is there with: ${command(above(url, 0))}`;
  if (isMissing(error) && url.segments.at(-1) !== "")
    return `list the directory with: ${command(above(url, url.segments.length - 1))}`;
  return undefined;
}

function portHint(url: FtpUrl): string {
  const usual = defaultPorts[url.scheme];
  return url.port === usual
    ? `a server at another port is named as in: ftp://${formatHost(url.host)}:2121/`
    : `the port of most servers is ${usual}: ${command({ ...url, port: usual })}`;
}

interface SystemError {
  readonly code?: string;
  readonly port?: number;
}

/** The system's error behind an FtpullError; the first one of several. */
function systemError(cause: unknown): SystemError | undefined {
  if (cause instanceof AggregateError) return systemError(cause.errors[0]);
  return cause instanceof Error ? (cause as SystemError) : undefined;
}

/** The directory that the first `count` segments lead to. */
function above(url: FtpUrl, count: number): FtpUrl {
  const segments = [...url.segments.slice(0, count), ""];
  return { ...url, segments, typecode: undefined, fragment: undefined };
}

function command(url: FtpUrl): string {
  return `ftpull ${quoteForShell(formatFtpUrl(url))}`;
}
