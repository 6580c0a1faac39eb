/**
 * Decides whether a file is whole: its transfer ended with 2yz, and the count is right; or the count equals SIZE, and
 * the final reply was lost, or was negative while size and time are still the same.
 */
import { FtpullError, hasReason } from "../errors.ts";
import type { Facts } from "../ftp/document-steps.ts";
import { counted } from "../text/units.ts";
import { beginAgain } from "./retry.ts";
import { changed, hasOnlyGrown, isSame } from "./facts.ts";

/**
 * The end of a transfer. `isResumed` is true of blocks, too. `announced` is the number of bytes in the first reply, where
 * that is the file's. `doubt` is why the transfer's end alone doesn't make the file whole.
 */
export interface Arrival {
  readonly octets: number;
  readonly isResumed: boolean;
  readonly facts: Facts;
  readonly announced?: number | undefined;
  readonly doubt?: FtpullError | undefined;
}

/** True where size and time have to be asked for once more. */
export function isInDoubt(arrival: Arrival): boolean {
  const { octets, isResumed, doubt } = arrival;
  const isExcess = octets > (sizeOf(arrival) ?? Infinity);
  return isResumed || isExcess || hasReason(doubt, "transfer broken off");
}

/**
 * Decides about a file without doubt, by the count. Returns a note, if one is needed. @throws FtpullError "integrity";
 * the failure of the transfer
 */
export function checkCount(arrival: Arrival): string | undefined {
  const { octets, doubt } = arrival;
  const size = sizeOf(arrival);
  if (size === undefined || octets === size) {
    if (doubt === undefined) return undefined;
    if (size === undefined) throw doubt;
    return `all ${counted(size, "byte")} arrived, but ${doubt.message}`;
  }
  const text = `expected ${counted(size, "byte")}, received ${octets}`;
  if (doubt === undefined || octets > size)
    throw new FtpullError("integrity", text, { transient: true });
  // A reset can look like an end: without the server's confirmation, it wasn't one.
  if (doubt.kind === "protocol") throw doubt;
  throw doubt.with({ kind: "network", message: `${doubt.message}: ${text}`, transient: true });
}

/**
 * Decides about a file in doubt, by the facts that were asked for once more:
 *
 *     the server couldn't tell            its failure
 *     only grown, and not resumed         whole, with a note, if the count lies between the sizes
 *     another size or time                begin again
 *     the same: a size of 0               no size, if bytes came: the first reply's counts, or the listing's
 *     the same, resumed, and more came    begin again
 *     the same                            the count decides
 *
 * Returns a note, if one is needed. @throws "begin again"; as `checkCount`
 */
export function checkAgain(arrival: Arrival, now: Facts): string | undefined {
  const { octets, isResumed, facts } = arrival;
  const size = sizeOf(arrival);
  if (now.failure !== undefined) throw now.failure;
  // Behind another file's bytes, those of a longer one would pass for what a file has grown by.
  const hasGrown = !isResumed && hasOnlyGrown(now, facts);
  if (hasGrown && facts.size! <= octets && octets <= now.size!)
    return `the file has grown to ${now.size} bytes: the first ${octets} are saved`;
  if (!isSame(now, facts)) throw beginAgain(changed);
  // Servers give a size of 0, again and again, for files that they make while they send them.
  if (facts.size === 0 && octets > 0)
    return checkCount({
      ...arrival,
      facts: { size: facts.listedSize || undefined, source: "listing" },
    });
  if (isResumed && octets > (size ?? Infinity))
    throw beginAgain(`the server sent more than ${counted(size!, "byte")}`);
  return checkCount(arrival);
}

function sizeOf({ octets, facts, announced }: Arrival): number | undefined {
  const { size, source } = facts;
  if (size !== undefined && source === "server") return size;
  // With fewer bytes than `announced` the transfer was cut; with more, the file has grown.
  return announced !== undefined && octets <= announced ? announced : size;
}
