/** Compares a local file with the server's: by size and time, and by checksums. */
import type { Stats } from "node:fs";
import type { Checksum } from "../../checksums/checksum.ts";
import { DocumentHash } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { existingFile, readTail } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";

export type Local = Pick<Stats, "size" | "mtime">;

export interface SizeAndTime extends Pick<Facts, "size" | "modified"> {
  readonly unit?: number | undefined;
}

/** A time to the minute or day, in an unknown zone: `unit` is in seconds. */
export interface CoarseTime {
  readonly modified: Date;
  readonly unit: number;
}

/** Unknown facts aren't compared; a file without any counts as newer. */
export function isNewer(facts: SizeAndTime, local: Local | undefined): boolean {
  return isOther(facts, local, (server, here) => server > here);
}

/** FAT stores times in steps of 2 s. */
export function isDifferent(facts: SizeAndTime, local: Local | undefined): boolean {
  return isOther(facts, local, (server, here) => Math.abs(server - here) > 2);
}

type Differ = (server: number, here: number) => boolean;

function isOther(facts: SizeAndTime, local: Local | undefined, differ: Differ) {
  const { size, modified, unit = 1 } = facts;
  if (local === undefined || (size === undefined && modified === undefined)) return true;
  if (size !== undefined && size !== local.size) return true;
  return modified !== undefined && differ(seconds(modified, unit), seconds(local.mtime, unit));
}

/** Most file systems and servers drop fractions. */
function seconds(date: Date, unit: number): number {
  return Math.floor(date.getTime() / 1000 / unit) * unit;
}

export function isSame(now: SizeAndTime, before: SizeAndTime): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}

export async function checkKept(
  path: string,
  checksums: readonly Checksum[],
  option: "-c" | "-nc",
): Promise<void> {
  const difference = await differenceHere(path, checksums);
  if (difference === undefined) return;
  const words = `"${path}" is left as it is: ${difference}`;
  const hint = `fetch it again with -f in place of ${option}`;
  throw new FtpullError("integrity", words, { hint });
}

/** The first checksum that a local file doesn't have, in words. */
export async function differenceHere(
  path: string,
  checksums: readonly Checksum[],
): Promise<string | undefined> {
  if (checksums.length === 0) return undefined;
  const octets = existingFile(path)?.size;
  if (octets === undefined) throw new FtpullError("file", `cannot verify "${path}": it is no file`);
  const hash = new DocumentHash(checksums);
  const tail = (end: number, length: number) => readTail(path, end, length, "follow");
  return hash.differenceIn({ label: path, tail }, octets);
}
