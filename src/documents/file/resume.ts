/** Decides where a transfer begins, by what is stored and the server's present facts. */
import { FtpullError } from "../../errors.ts";
import { hints } from "../../hints.ts";
import type { Stored, Version } from "../../files/destination.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import { isSameUrl } from "../../url/format.ts";
import { changed, isSame, secondsAhead } from "../facts.ts";

/**
 * What a try does:
 *
 *     begin      fetches the file from its first byte; `dropped` is the reason why stored ones are of no use
 *     go on      fetches what is missing behind the `offset` stored bytes
 *     compare    fetches the last 4 KiB: another program's file is as long as the server's, and stays if no more comes
 *     publish    fetches nothing: all bytes came in an earlier try, and the facts have settled the doubt that it left
 */
export interface Beginning {
  readonly does: "begin" | "go on" | "compare" | "publish";
  readonly offset: number;
  readonly dropped?: string;
}

interface Wanted {
  readonly version: Version;
  readonly facts: Facts;
  /** Why each try begins at 0. */
  readonly onlyWhole?: string | undefined;
}

/**
 * `arrived` is the number of bytes that came in earlier tries. @throws "cannot continue" for a file in pieces; ReplyError
 * if the server couldn't tell its facts
 */
export function beginningOf(
  stored: Stored | undefined,
  arrived: number,
  { version, facts, onlyWhole }: Wanted,
): Beginning {
  if (stored === undefined) return { does: "begin", offset: 0 };
  if (facts.failure !== undefined) throw facts.failure;
  const { octets, other } = stored;
  if (other !== undefined) checkNoPieces(other.path);
  const why = other ? whyNotBehind(octets, other.modified, facts) : whyChanged(stored, version);
  const dropped = onlyWhole ?? why;
  if (dropped !== undefined) return { does: "begin", offset: 0, dropped };
  if (arrived === facts.size) return { does: "publish", offset: octets };
  return { does: other && octets === facts.size ? "compare" : "go on", offset: octets };
}

/** With -c alone, a file that is here is gone on with, or left as it is. */
export function cannotContinue(because: string): FtpullError {
  const words = `${because}: it can't be continued`;
  return new FtpullError("integrity", words, { reason: "cannot continue", hint: hints.replace });
}

function whyChanged({ octets, version: here }: Stored, now: Version): string | undefined {
  if (here?.size === undefined || here.modified === undefined)
    return "size or time of the file are unknown";
  if (!isSameUrl(here.url, now.url)) return `the partial file here is from ${here.url}`;
  if (!isSame(now, here)) return changed;
  return octets > here.size ? "more is stored here than the file has" : undefined;
}

function whyNotBehind(octets: number, modified: Date, now: Facts): string | undefined {
  const { size } = now;
  if (size === undefined) return "the server doesn't tell the size";
  if (octets > size) return `the file here has ${octets} bytes, the server's ${size}`;
  const isOlder = (secondsAhead(now, modified) ?? 0) > 0;
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
