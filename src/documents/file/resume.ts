/** Decides whether a transfer can build on stored octets, by the server's present facts. Pure. */
import { FtpullError } from "../../errors.ts";
import type { PartialDocument, Version } from "../../files/destination.ts";
import { ifPossible } from "../../files/file-error.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Conversion } from "../../text/line-ends.ts";
import { canonicalUrl } from "../../url/format.ts";
import { BeginAgain } from "../retry.ts";
import { PlainFile } from "./plain-file.ts";
import type { SizeAndTime } from "./timestamping.ts";

/** @throws BeginAgain if the stored octets are useless; ReplyError; FtpullError "integrity" for a longer file */
export function octetsToBuildOn(
  partial: PartialDocument,
  document: Version & Pick<Facts, "failure">,
  conversion: Conversion,
  mayHaveGrown = false,
): number {
  if (conversion !== "none") throw new BeginAgain("a text that is converted can't be continued");
  if (document.failure !== undefined) throw document.failure;
  // A server that says 350, begins at 0 and sends the same octets again is found by the count alone.
  if (document.size === undefined) throw new BeginAgain("the server doesn't tell the size");
  if (partial.inPlace !== undefined)
    new PlainFile(partial.inPlace.path, partial.octets).checkLength(document.size);
  else if (!mayHaveGrown || !hasOnlyGrown(document, partial.document)) checkSame(partial, document);
  return partial.octets;
}

/**
 * @throws ReplyError if the server couldn't tell; BeginAgain when size or time differs, or only one side
 * has it: another document of the same size may have taken its place
 */
export function checkUnchanged(now: Omit<Facts, "source">, before: SizeAndTime): void {
  if (now.failure !== undefined) throw now.failure;
  checkCommon(now, before);
  if (!isSame(now, before))
    throw new BeginAgain("the server told the document's size or time only once");
}

export function checkCommon(now: SizeAndTime, before: SizeAndTime): void {
  const isChanged =
    differ(now.size, before.size) || differ(now.modified?.getTime(), before.modified?.getTime());
  if (isChanged) throw changed();
}

/** True also for a file that was written anew in place, if it is longer and no older. */
export function hasOnlyGrown(now: SizeAndTime, before: SizeAndTime | undefined): boolean {
  if (now.size === undefined || before?.size === undefined) return false;
  if (now.modified === undefined || before.modified === undefined) return false;
  return now.size > before.size && now.modified >= before.modified;
}

export function receivedMore(size: number | undefined): FtpullError {
  const text = `expected ${size} octets, received more`;
  return new FtpullError("integrity", text, { transient: true });
}

function changed(): BeginAgain {
  return new BeginAgain("the document has changed on the server", { keepsOctets: false });
}

function differ(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

export function isSame(now: SizeAndTime, before: SizeAndTime): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}

function checkSame({ octets, document: here }: PartialDocument, now: Version): void {
  // Without a size, the octets may be those of a converted text.
  if (here?.size === undefined) throw new BeginAgain("nothing is known of the partial file here");
  if (here.url !== now.url && !isSameUrl(here.url, now.url))
    throw new BeginAgain(`the partial file here is from ${here.url}`);
  if (octets > (now.size ?? octets)) throw changed();
  checkUnchanged(now, here);
}

/** True for two spellings of one URL: `anonymous@`, the usual port and further slashes make no difference. */
function isSameUrl(...urls: readonly string[]): boolean {
  const [one, other] = urls.map((url) => ifPossible(() => canonicalUrl(url)));
  return one !== undefined && one === other;
}
