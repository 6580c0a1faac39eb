/** --checksum and --checksums: which checksums each document of the run has to have. */
import { basename } from "node:path";
import { type ChecksumList, checksumsFor, readChecksumList } from "../checksums/checksum-list.ts";
import type { Checksum } from "../checksums/checksum.ts";
import type { Observer } from "../documents/events.ts";
import { FtpullError } from "../errors.ts";
import type { Settings } from "../options/command-line.ts";
import { formatFtpUrl } from "../url/format.ts";
import type { FtpUrl } from "../url/ftp-url.ts";
import { type ExpectedChecksums, pathFor, presumedPlan } from "./jobs.ts";

/**
 * Reads what documents are verified by. Where a list says nothing of a document, the function
 * that is returned warns.
 * @throws FtpullError "usage" when --checksum can't be meant; "file" for a list that can't be read
 */
export async function expectedChecksums(
  urls: readonly FtpUrl[],
  settings: Settings,
  observer: Observer,
): Promise<ExpectedChecksums> {
  const { checksum, checksums: file } = settings;
  if (checksum !== undefined) {
    checkSingleFile(urls, settings);
    return () => [checksum];
  }
  if (file === undefined) return () => [];
  const list = await readChecksumList(file);
  warnOfStrangeLines(list, file, observer);
  return (url) => listed(url, list, settings, observer);
}

/** One checksum is for one document; and of a listing nobody knows one. */
function checkSingleFile(urls: readonly FtpUrl[], settings: Settings): void {
  if (urls.length > 1) {
    const hint = "--checksums takes a list of checksums";
    const words = `--checksum is for one document, and there are ${urls.length} URLs`;
    throw new FtpullError("usage", words, { hint });
  }
  const directory = urls.find((url) => presumedPlan(url, settings).action === "list");
  if (directory === undefined) return;
  const words = `--checksum is for a file, and ${formatFtpUrl(directory)} is a listing`;
  throw new FtpullError("usage", words);
}

/** A document is looked up by the name that is its own, also where -O names another. */
function listed(
  url: FtpUrl,
  list: ChecksumList,
  settings: Settings,
  observer: Observer,
): readonly Checksum[] {
  if (presumedPlan(url, settings).action === "list") return [];
  const name = basename(pathFor(url, settings));
  const found = checksumsFor(name, list.checksums);
  if (found.length === 0) {
    observer.warning(`"${settings.checksums}" has no checksum of "${name}": it is not verified`);
  }
  return found;
}

function warnOfStrangeLines({ strangeLines }: ChecksumList, file: string, observer: Observer) {
  const [first, ...others] = strangeLines;
  if (first === undefined) return;
  const more = others.length === 0 ? "" : `, nor are ${others.length} more`;
  observer.warning(`line ${first} of "${file}" is no checksum${more}`);
}
