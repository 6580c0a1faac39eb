/** Tries in a row, for a server's sessions or for a document; and pauses between documents. */
import { counted } from "./text/units.ts";

export interface RetryPolicy {
  /** Tries in a row without success or progress; 0 means no limit. `now` is monotonic, in ms. */
  readonly tries: number;
  readonly longestMs: number;
  /** The pause before each further document of a server, in ms; undefined: none. */
  readonly pauseMs?: (() => number) | undefined;
  /** Rejects when the run is interrupted. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  readonly now: () => number;
}

/** The step after `failures` in a row: a wait of 1, 2, 4 ... s; undefined after the last try. */
export function nextTry(
  failures: number,
  { tries, longestMs, random }: Pick<RetryPolicy, "tries" | "longestMs" | "random">,
  firstMs = 1000,
): { readonly waitMs: number; readonly words: string } | undefined {
  if (tries !== 0 && failures >= tries) return undefined;
  const doubled = Math.min(longestMs, firstMs * 2 ** (failures - 1));
  // The waits of many clients are spread.
  const waitMs = Math.round(doubled * (1 - 0.2 * random()));
  const left = counted(tries - failures, "try", "tries");
  const remaining = tries === 0 ? "" : ` (${left} left)`;
  return { waitMs, words: `trying again in ${(waitMs / 1000).toFixed(1)} s${remaining}` };
}
