/** The URLs of a run: those of the command line, then those of the input file, read and checked. */
import { exitStatus, toFtpullError } from "../errors.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { checkPort } from "../url/blocked-ports.ts";
import { redactUrlText } from "../url/format.ts";
import { parseFtpUrl, type FtpUrl } from "../url/ftp-url.ts";
import { resolveReference } from "../url/resolve.ts";
import { readUrlList } from "./url-list.ts";

/**
 * Reads all URLs. One that can't be read is reported, and its exit status returned; the
 * others are fetched all the same.
 * @throws FtpullError "file" when the input file can't be read
 */
export async function readUrls(
  settings: Settings,
  messages: Messages,
): Promise<{ urls: FtpUrl[]; statuses: number[] }> {
  const { inputFile, base, allowPorts } = settings;
  const listed = inputFile === undefined ? [] : await readUrlList(inputFile);
  const urls: FtpUrl[] = [];
  const statuses: number[] = [];
  for (const text of [...settings.urls, ...listed]) {
    try {
      const url = parseFtpUrl(base === undefined ? text : resolveReference(text, base));
      checkPort(url.port, allowPorts);
      for (const warning of url.warnings) messages.warning(`${redactUrlText(text)}: ${warning}`);
      urls.push(url);
    } catch (thrown) {
      const error = toFtpullError(thrown);
      messages.failure(redactUrlText(text), error);
      statuses.push(exitStatus[error.kind]);
    }
  }
  return { urls, statuses };
}
