/** Decides whether a transfer can build on stored octets, by the server's present facts. */
import type { PartialDocument, Version } from "../../files/destination.ts";
import { cannotContinue } from "../../files/file-error.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Conversion } from "../../text/line-ends.ts";
import { isSameUrl } from "../../url/format.ts";
import { BeginAgain } from "../retry.ts";
import type { SizeAndTime } from "./timestamping.ts";

/**
 * Octets behind which the transfer goes on. @throws BeginAgain if they are useless; FtpullError "integrity" if they are
 * a file of the user's; ReplyError if the server couldn't tell
 */
export function octetsToBuildOn(
  stored: PartialDocument,
  document: Version & Pick<Facts, "failure">,
  conversion: Conversion,
): number {
  if (document.failure !== undefined) throw document.failure;
  const isUsers = stored.inPlace !== undefined;
  const reason =
    whyUnusable(document, conversion) ?? (isUsers ? undefined : whyOther(stored, document));
  const isLonger = stored.octets > (document.size ?? 0);
  if (isUsers && isLonger && reason === undefined)
    throw cannotContinue(
      `the file here has ${stored.octets} octets, the server's ${document.size}`,
    );
  if (reason === undefined) return stored.octets;
  throw isUsers ? cannotContinue(reason) : new BeginAgain(reason);
}

/** Suffixes of the files in which aria2, lftp's pget and axel note the pieces that they have. */
const recordSuffixes = [".aria2", ".lftp-pget-status", ".st"];

const finishThere = "finish it with that program, or replace it with -f";

/** @throws FtpullError "integrity" for a file of the user's that another program has begun in pieces */
export function checkPieces(path: string): void {
  const record = recordSuffixes.map((suffix) => path + suffix).find(isTaken);
  if (record === undefined) return;
  const reason = `"${path}" was begun in pieces by another program ("${record}")`;
  throw cannotContinue(reason, finishThere);
}

function whyUnusable({ size }: Version, conversion: Conversion): string | undefined {
  if (conversion !== "none") return "a text that is converted can't be continued";
  // A server that says 350, begins at 0 and sends the same octets again is found by the count alone.
  return size === undefined ? "the server doesn't tell the size" : undefined;
}

function whyOther({ octets, document: here }: PartialDocument, now: Version): string | undefined {
  // Without a size, the octets may be those of a converted text.
  if (here?.size === undefined) return "nothing is known of the partial file here";
  if (!isSameUrl(here.url, now.url)) return `the partial file here is from ${here.url}`;
  return isSame(now, here) && octets <= here.size ? undefined : changed;
}

const changed = "the document has changed on the server";

/** @throws BeginAgain if a document was replaced while its parts were fetched; ReplyError if the server couldn't tell */
export function checkUnchanged(now: Omit<Facts, "source">, before: SizeAndTime): void {
  if (now.failure !== undefined) throw now.failure;
  if (!isSame(now, before)) throw new BeginAgain(changed);
}

/** True also for a file that was written anew in place, if it is longer and no older. */
export function hasOnlyGrown<T extends SizeAndTime>(
  now: T,
  before: SizeAndTime,
): now is T & { size: number } {
  if (now.size === undefined || before.size === undefined) return false;
  if (now.modified === undefined || before.modified === undefined) return false;
  return now.size > before.size && now.modified >= before.modified;
}

export function isSame(now: SizeAndTime, before: SizeAndTime): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}
