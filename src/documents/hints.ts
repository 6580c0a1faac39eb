/** Chooses the hint for a failure at a server: the first row that fits counts. */
import { FtpullError } from "../errors.ts";
import { hints } from "../hints.ts";
import { isMissing, saysDenied } from "../ftp/control/reply.ts";
import { DirectoryRefused } from "../ftp/path-steps.ts";
import { directoryUrl, formatFtpUrl } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";

type Row = (error: FtpullError, url: FtpUrl) => string | false | undefined;

const rows: readonly Row[] = [
  fromRoot,
  // A part of the URL was ignored, as its warning says.
  (error, url) =>
    isMissing(error) && url.warnings.some((text) => ignoredPart.test(text)) && hints.encoding,
  (error, url) =>
    error instanceof DirectoryRefused &&
    hints.list(directoryUrl(url, { cwds: error.reached, name: "" })),
  (error, url) =>
    isMissing(error) && !saysDenied(error) && url.segments.at(-1) !== "" && listHint(url),
];

const ignoredPart = /write %(?:23|3B|3F)/;

export function hintFor(error: FtpullError, url: FtpUrl): string | undefined {
  for (const row of rows) {
    const hint = row(error, url);
    if (hint) return hint;
  }
  return undefined;
}

export function noMatchHint(url: FtpUrl, shownUrl: string): string {
  return shownUrl.includes("[") ? hints.noGlob : listHint(url);
}

function fromRoot(error: FtpullError, url: FtpUrl): string | undefined {
  const [first, next, ...others] = url.segments;
  const isFirstRefused = error instanceof DirectoryRefused && error.reached.length === 0;
  if (!isFirstRefused || first !== "" || next === undefined) return undefined;
  const segments = [`%2F${next}`, ...others];
  return hints.fromRoot(formatFtpUrl({ ...url, segments }));
}

function listHint(url: FtpUrl): string {
  const segments = [...url.segments.slice(0, -1), ""];
  return hints.list(formatFtpUrl({ ...url, segments, typecode: undefined }));
}
