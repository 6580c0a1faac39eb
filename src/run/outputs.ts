/** Outputs of documents and listings without a file of their own: -O and standard output. */
import { Writable } from "node:stream";
import { isatty } from "node:tty";
import type { ListingOutput } from "../documents/listing/listing-task.ts";
import { Inventory } from "../documents/spider/inventory.ts";
import { FtpullError } from "../errors.ts";
import { documentOutput, standardOutput, stdoutLabel } from "../files/output/document-output.ts";
import { listingFormatter } from "../listing/format.ts";
import type { Settings } from "../options/command-line.ts";
import type { Messages } from "../terminal/messages.ts";
import { decoderFor } from "../text/encoding.ts";
import { directoryUrl } from "../url/format.ts";

/** `shared` is the file of -O. @throws FtpullError "usage" if standard output would mix documents and --json */
export function outputsFor(settings: Settings, messages: Messages, several: boolean) {
  const file = settings.outputDocument;
  if (file !== undefined && settings.directoryPrefix !== ".")
    messages.warning("--directory-prefix does not count with --output-document");
  const collision = settings.continue ? "continue" : "replace";
  const stdout = () => process.stdout;
  const shared = file === undefined ? undefined : documentOutput(file, collision, stdout, several);
  if (settings.json && shared?.label === stdoutLabel)
    throw new FtpullError("usage", "--json and documents can't both be on standard output");
  const destination = shared ?? standardOutput(isatty(1) ? () => besideBars(messages) : stdout);
  const format = settings.format ?? (isatty(1) && !shared ? "table" : "names");
  const decode = decoderFor(settings.remoteEncoding);
  const formatterFor: ListingOutput["formatterFor"] = (url, plan) => {
    const directory = directoryUrl(url, plan, settings);
    // An unreadable line is no failure of the listing, but is shown even if warnings aren't.
    const unread = (line: string): void => {
      const words = `cannot read the line "${decode(line)}" of the listing`;
      messages.failure(directory, new FtpullError("protocol", words));
    };
    return listingFormatter(format, decode, directory, unread);
  };
  const listing = { destination, formatterFor, turn: Promise.resolve() };
  const lines = settings.json ? undefined : standardOutput(stdout);
  return { shared, listing, inventory: settings.spider ? new Inventory(lines) : undefined };
}

/** Standard output on a terminal: bars are cleared while a listing's lines are written. */
function besideBars(messages: Messages): Writable {
  const terminal = process.stdout.on("error", () => undefined); // Each write reports its own error.
  return new Writable({
    write: (chunk, _encoding, done) => {
      messages.suspend();
      terminal.write(chunk as Buffer, (error) => {
        messages.resume();
        done(error);
      });
    },
  });
}
