/** Tries in a row, for a server's sessions or for a document; and pauses between documents. */
import { counted } from "./text/units.ts";

/**
 * `tries` is the most tries in a row without success or progress, 0 for no limit; `pauseMs` is the pause before
 * each further document of a server; `wait` rejects when the run is interrupted; `now` is monotonic, in ms.
 */
export interface RetryPolicy {
  readonly tries: number;
  readonly longestWaitMs: number;
  readonly pauseMs?: number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  readonly now: () => number;
}

/** The wait after `failures` tries in a row: 1, 2, 4 ... seconds. Undefined after the last try. */
export function nextTry(
  failures: number,
  { tries, longestWaitMs, random }: Pick<RetryPolicy, "tries" | "longestWaitMs" | "random">,
): { readonly waitMs: number; readonly words: string } | undefined {
  if (tries !== 0 && failures >= tries) return undefined;
  const doubled = Math.min(longestWaitMs, 1000 * 2 ** (failures - 1));
  // Many clients that lost their server at once shall not come back at once.
  const waitMs = Math.round(doubled * (1 - 0.2 * random()));
  const triesLeft = tries === 0 ? "" : ` (${counted(tries - failures, "try", "tries")} left)`;
  return { waitMs, words: `trying again in ${(waitMs / 1000).toFixed(1)} s${triesLeft}` };
}
