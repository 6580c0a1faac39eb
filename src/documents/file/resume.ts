/** Decides where a transfer begins, by what is stored and the server's present facts. */
import { FtpullError } from "../../errors.ts";
import type { Stored, Version } from "../../files/destination.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { isSameUrl } from "../../url/format.ts";
import { isSame, secondsAhead } from "./facts.ts";

/** `dropped` is the reason why the stored bytes are of no use: said when data replaces them. */
export interface Beginning {
  readonly offset: number;
  readonly dropped?: string | undefined;
}

/** @throws "cannot continue" for a file in pieces; ReplyError if the server couldn't tell its facts */
export function resumeOffset(
  stored: Stored | undefined,
  version: Version,
  facts: Facts,
  onlyWhole?: string,
): Beginning {
  if (stored === undefined) return { offset: 0 };
  if (facts.failure !== undefined) throw facts.failure;
  if (stored.other !== undefined) checkNoPieces(stored.other.path);
  const isOther = stored.other !== undefined;
  const why = isOther ? whyNotBehind(stored, facts) : whyChanged(stored, version);
  const dropped = onlyWhole ?? why;
  return dropped === undefined ? { offset: stored.octets } : { offset: 0, dropped };
}

/** With -c alone, a file that is here is gone on with, or left as it is. */
export function cannotContinue(because: string): FtpullError {
  const hint = "replace it with -f, or keep both by another name behind -O";
  const words = `${because}: it can't be continued`;
  return new FtpullError("integrity", words, { reason: "cannot continue", hint });
}

function whyChanged({ octets, version: here }: Stored, now: Version): string | undefined {
  if (here?.size === undefined || here.modified === undefined)
    return "size or time of the file are unknown";
  if (!isSameUrl(here.url, now.url)) return `the partial file here is from ${here.url}`;
  if (!isSame(now, here)) return changed;
  return octets > here.size ? "more is stored here than the file has" : undefined;
}

export const changed = "the file has changed on the server";

function whyNotBehind({ octets, other }: Stored, now: Facts): string | undefined {
  const { size } = now;
  if (size === undefined) return "the server doesn't tell the size";
  if (octets > size) return `the file here has ${octets} bytes, the server's ${size}`;
  const isOlder = (secondsAhead(now, other!.modified) ?? 0) > 0;
  return isOlder ? "the server's file is newer than the file here" : undefined;
}

/** Suffixes of the files in which aria2, lftp's pget and axel note the pieces that they have. */
const recordSuffixes = [".aria2", ".lftp-pget-status", ".st"];

/** @throws "cannot continue" for a file that another program has begun in pieces */
function checkNoPieces(path: string): void {
  const record = recordSuffixes.map((suffix) => path + suffix).find(isTaken);
  if (record === undefined) return;
  throw cannotContinue(`"${path}" was begun in pieces by another program ("${record}")`);
}
