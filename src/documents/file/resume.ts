/** Decides where a transfer begins, by what is stored and the server's present facts. */
import { FtpullError } from "../../errors.ts";
import type { PartialDocument, Version } from "../../files/destination.ts";
import { cannotContinue } from "../../files/file-error.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { isSameUrl } from "../../url/format.ts";
import { isNewer, isSame, type SizeAndTime } from "./timestamping.ts";

export interface Beginning {
  readonly offset: number;
  /** A file that another program has left: only what goes on behind it replaces it. */
  readonly inPlace?: PartialDocument["inPlace"];
  /** Reason why the stored bytes are of no use: said when data replaces them. */
  readonly dropped?: string | undefined;
}

/** @throws FtpullError "integrity" for another program's file; ReplyError if the server couldn't tell its facts */
export function resumeOffset(
  partial: PartialDocument | undefined,
  now: Version & Pick<Facts, "failure">,
  isText: boolean,
): Beginning {
  if (partial === undefined) return { offset: 0 };
  if (now.failure !== undefined) throw now.failure;
  const { octets, document, inPlace } = partial;
  if (inPlace !== undefined) {
    checkPieces(inPlace.path);
    checkBehind(inPlace, now, isText);
    return { offset: octets, inPlace };
  }
  const dropped = whyOther(octets, document, now, isText);
  return dropped === undefined ? { offset: octets } : { offset: 0, dropped };
}

function whyOther(octets: number, here: Version | undefined, now: Version, isText: boolean) {
  if (isText) return textReason;
  if (here?.size === undefined || here.modified === undefined)
    return "size or time of the file are unknown";
  if (!isSameUrl(here.url, now.url)) return `the partial file here is from ${here.url}`;
  if (!isSame(now, here)) return changed;
  return octets > here.size ? "more is stored here than the file has" : undefined;
}

const textReason = "a text that is converted can't be continued";

export const changed = "the file has changed on the server";

/** @throws FtpullError "integrity" unless the file here can be the beginning of the server's */
function checkBehind(
  here: NonNullable<Beginning["inPlace"]>,
  { size, modified }: Version,
  isText: boolean,
): void {
  if (isText) throw cannotContinue(textReason);
  if (size === undefined) throw new UnknownSize();
  if (here.size > size)
    throw cannotContinue(`the file here has ${here.size} bytes, the server's ${size}`);
  if (modified !== undefined && isNewer({ modified }, here))
    throw cannotContinue("the server's file is newer than the file here");
}

/** Without a size -c can't go on, or the name is a directory's. */
export class UnknownSize extends FtpullError {
  constructor() {
    const { message, hint } = cannotContinue("the server doesn't tell the size");
    super("integrity", message, { hint });
  }
}

/** Suffixes of the files in which aria2, lftp's pget and axel note the pieces that they have. */
const recordSuffixes = [".aria2", ".lftp-pget-status", ".st"];

/** @throws FtpullError "integrity" for a file that another program has begun in pieces */
function checkPieces(path: string): void {
  const record = recordSuffixes.map((suffix) => path + suffix).find(isTaken);
  if (record === undefined) return;
  const reason = `"${path}" was begun in pieces by another program ("${record}")`;
  throw cannotContinue(reason, "finish it with that program, or replace it with -f");
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
