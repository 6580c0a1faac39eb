/** Facts of a file: those of the listing and of the server together, and their comparison with others and a local file. */
import type { Stats } from "node:fs";
import type { Facts } from "../../ftp/document-steps.ts";

/** What is compared: `unit` is the seconds to which a listing's time is exact. */
export type SizeAndTime = Pick<Facts, "size" | "modified" | "unit">;

export type Local = Pick<Stats, "size" | "mtime">;

/** The listing's facts where the server tells none: without a size, a cut transfer would pass for a whole one. */
export function merged(listed: Facts | undefined, asked: Facts): Facts {
  const { size, modified, unit } = listed ?? {};
  return {
    ...asked,
    ...(asked.size === undefined && size !== undefined && { size, source: "listing" }),
    ...(asked.modified === undefined && { modified, unit }),
  };
}

/** Undefined for a time that is too coarse to tell one version from another. */
export function exactTime({ modified, unit }: SizeAndTime): Date | undefined {
  return unit === undefined ? modified : undefined;
}

export function isSame(now: SizeAndTime, before: SizeAndTime): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}

/** True also for a file that was written anew in place, if it is longer and no older. */
export function hasOnlyGrown(now: SizeAndTime, before: SizeAndTime): boolean {
  const isNoOlder = (now.modified ?? 0) >= (before.modified ?? Infinity);
  return isNoOlder && (now.size ?? 0) > (before.size ?? Infinity);
}

/** Unknown facts aren't compared; a file without any counts as newer. */
export function isNewer(facts: SizeAndTime, local: Local | undefined): boolean {
  return isOther(facts, local, (server, here) => server > here);
}

/** FAT stores times in steps of 2 s. */
export function isDifferent(facts: SizeAndTime, local: Local | undefined): boolean {
  return isOther(facts, local, (server, here) => Math.abs(server - here) > 2);
}

/** True unless size and time are known, and the same. */
export function isUnlike(facts: SizeAndTime, local: Local | undefined): boolean {
  const isKnown = facts.size !== undefined && exactTime(facts) !== undefined;
  return !isKnown || isDifferent(facts, local);
}

function isOther(
  facts: SizeAndTime,
  local: Local | undefined,
  differ: (server: number, here: number) => boolean,
) {
  const { size, modified, unit = 1 } = facts;
  if (local === undefined || (size === undefined && modified === undefined)) return true;
  if (size !== undefined && size !== local.size) return true;
  return modified !== undefined && differ(seconds(modified, unit), seconds(local.mtime, unit));
}

/** Most file systems and servers drop fractions. */
function seconds(date: Date, unit: number): number {
  return Math.floor(date.getTime() / 1000 / unit) * unit;
}
