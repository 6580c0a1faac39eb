/** Where a run's listings, the lines of --spider and the files of -O go. */
import type { ListingOutput } from "../documents/listing/listing-task.ts";
import { Inventory } from "../documents/spider/inventory.ts";
import { FtpullError, usageError } from "../errors.ts";
import type { Destination } from "../files/destination.ts";
import { documentOutput, standardOutput, stdoutLabel } from "../files/output/document-output.ts";
import { listingFormatter } from "../listing/format.ts";
import type { Settings } from "../options/command-line.ts";
import { isTerminal } from "../terminal/is-terminal.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import { directoryUrl } from "../url/format.ts";
import { existingFor } from "./jobs/file-rules.ts";
import type { Requested } from "./jobs/requested.ts";
import { isAnsweredByStatus } from "./outcome.ts";

/** `shared` is the file of -O. @throws FtpullError "usage" if standard output would mix files and --json */
export function outputsFor(settings: Settings, messages: Messages, extent: Requested["extent"]) {
  const { outputDocument: file, json } = settings;
  const shared =
    file === undefined
      ? undefined
      : documentOutput(file, existingFor(settings), stdout, extent !== "one");
  if (json && shared?.label === stdoutLabel)
    throw usageError("--json and files can't both be on standard output");
  const listing = listingOutput(settings, messages, shared);
  const hasLines = !json && !(isAnsweredByStatus(settings) && extent === "one");
  const lines = hasLines ? standardOutput(stdout) : undefined;
  return { shared, listing, inventory: settings.spider ? new Inventory(lines) : undefined };
}

const stdout = () => process.stdout;

function listingOutput(
  settings: Settings,
  messages: Messages,
  shared: Destination | undefined,
): ListingOutput {
  const isOnTerminal = shared === undefined && isTerminal(1);
  const format = settings.format ?? (isOnTerminal ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  return {
    destination: shared ?? standardOutput(stdout),
    formatterFor: (url, plan) => {
      const directory = directoryUrl(url, plan);
      // An unreadable line is no failure of the listing, but is shown even if warnings aren't.
      const unread = (line: string): void => {
        const words = `cannot read the line "${decode(line)}" of the listing`;
        messages.failure(directory, new FtpullError("protocol", words));
      };
      return listingFormatter(format, decode, directory, { unread, isOnTerminal });
    },
  };
}
