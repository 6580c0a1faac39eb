/** Facts of a file: those of the listing and of the server together, and their comparison with others and a local file. */
import type { Stats } from "node:fs";
import type { Comparison } from "../files/existing.ts";
import type { Facts } from "../ftp/document-steps.ts";

/** The listing's facts where the server tells none: without a size, a cut transfer would pass for a whole one. */
export function merged(listed: Facts | undefined, asked: Facts): Facts {
  if (listed === undefined) return asked;
  const isSizeListed = asked.size === undefined && listed.size !== undefined;
  const isTimeListed = asked.modified === undefined;
  return {
    size: asked.size ?? listed.size,
    listedSize: listed.size,
    source: isSizeListed ? listed.source : asked.source,
    modified: asked.modified ?? listed.modified,
    unit: isTimeListed ? listed.unit : asked.unit,
    failure: asked.failure,
  };
}

/** Undefined for a time that is too coarse to tell one version from another. */
export function exactTime({ modified, unit }: Partial<Facts>): Date | undefined {
  return unit === undefined ? modified : undefined;
}

export function isSame(now: Partial<Facts>, before: Partial<Facts>): boolean {
  return now.size === before.size && now.modified?.getTime() === before.modified?.getTime();
}

export const changed = "the file has changed on the server";

/** True also for a file that was written anew in place, if it is longer and no older. */
export function hasOnlyGrown(now: Partial<Facts>, before: Partial<Facts>): boolean {
  const isNoOlder = (now.modified ?? 0) >= (before.modified ?? Infinity);
  return isNoOlder && (now.size ?? 0) > (before.size ?? Infinity);
}

/** True unless the server's file is another one by the rule. Unknown facts aren't compared, but one has to be known. */
export function isUnchanged(
  facts: Partial<Facts>,
  local: Pick<Stats, "size" | "mtime">,
  rule: Comparison,
): boolean {
  const { size = local.size } = facts;
  const isKnown = facts.size !== undefined && exactTime(facts) !== undefined;
  if (size !== local.size || (rule === "if the same" && !isKnown)) return false;
  const ahead = secondsAhead(facts, local.mtime);
  if (ahead === undefined) return facts.size !== undefined;
  // FAT stores times in steps of 2 s.
  return rule === "unless newer" ? ahead <= 0 : Math.abs(ahead) <= 2;
}

/** Seconds by which the server's time is later than a local one, as exact as it is; undefined if it isn't known. */
export function secondsAhead({ modified, unit = 1 }: Partial<Facts>, local: Date) {
  return modified && seconds(modified, unit) - seconds(local, unit);
}

/** Most file systems and servers drop fractions. */
function seconds(date: Date, unit: number): number {
  return Math.floor(date.getTime() / 1000 / unit) * unit;
}
