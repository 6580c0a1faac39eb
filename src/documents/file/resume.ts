/** Decides where a transfer begins, by what is stored and the server's present facts. */
import { FtpullError } from "../../errors.ts";
import type { PartialDocument, Version } from "../../files/destination.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { isSameUrl } from "../../url/format.ts";
import { exactTime, isSame, type Local, secondsAhead } from "./facts.ts";

/** `dropped` is the reason why the stored bytes are of no use: said when data replaces them. */
export interface Beginning {
  readonly offset: number;
  readonly dropped?: string | undefined;
}

/** Facts of the file at a URL without its password. */
type Now = Facts & { readonly url: string };

/** @throws "cannot continue" for a file in pieces; ReplyError if the server couldn't tell its facts */
export function resumeOffset(
  stored: PartialDocument | undefined,
  now: Now,
  isText: boolean,
): Beginning {
  if (stored === undefined) return { offset: 0 };
  if (now.failure !== undefined) throw now.failure;
  const { octets, document, other } = stored;
  if (other !== undefined) checkNoPieces(other.path);
  const why = other === undefined ? whyChanged(octets, document, now) : whyNotBehind(other, now);
  const dropped = isText ? "a text that is converted can't be continued" : why;
  return dropped === undefined ? { offset: octets } : { offset: 0, dropped };
}

/** With -c alone, a file that is here is gone on with, or left as it is. */
export function cannotContinue(because: string): FtpullError {
  const hint = "replace it with -f, or keep both by leaving out -c";
  const words = `${because}: it can't be continued`;
  return new FtpullError("integrity", words, { reason: "cannot continue", hint });
}

function whyChanged(octets: number, here: Version | undefined, now: Now): string | undefined {
  if (here?.size === undefined || here.modified === undefined)
    return "size or time of the file are unknown";
  if (!isSameUrl(here.url, now.url)) return `the partial file here is from ${here.url}`;
  if (!isSame({ size: now.size, modified: exactTime(now) }, here)) return changed;
  return octets > here.size ? "more is stored here than the file has" : undefined;
}

export const changed = "the file has changed on the server";

function whyNotBehind(here: Local, now: Facts): string | undefined {
  const { size } = now;
  if (size === undefined) return "the server doesn't tell the size";
  if (here.size > size) return `the file here has ${here.size} bytes, the server's ${size}`;
  const isOlder = (secondsAhead(now, here.mtime) ?? 0) > 0;
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
