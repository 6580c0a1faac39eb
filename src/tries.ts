/** Tries in a row, for a server's sessions or for a document; and pauses between documents. */
import { counted } from "./text/units.ts";

export interface RetryPolicy {
  /** Most tries in a row without success or progress; 0 means no limit. */
  readonly tries: number;
  readonly longestWaitMs: number;
  /** The pause before each further document of a server. */
  readonly pauseMs?: (() => number) | undefined;
  /** Rejects when the run is interrupted. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly random: () => number;
  /** Monotonic, in ms. */
  readonly now: () => number;
}

/** The wait after `failures` tries in a row: 1, 2, 4 ... times `firstMs`. Undefined after the last try. */
export function nextTry(
  failures: number,
  { tries, longestWaitMs, random }: Pick<RetryPolicy, "tries" | "longestWaitMs" | "random">,
  firstMs = 1000,
): { readonly waitMs: number; readonly words: string } | undefined {
  if (tries !== 0 && failures >= tries) return undefined;
  const doubled = Math.min(longestWaitMs, firstMs * 2 ** (failures - 1));
  // Many clients that lost their server at once shall not come back at once.
  const waitMs = Math.round(doubled * (1 - 0.2 * random()));
  const triesLeft = tries === 0 ? "" : ` (${counted(tries - failures, "try", "tries")} left)`;
  return { waitMs, words: `trying again in ${(waitMs / 1000).toFixed(1)} s${triesLeft}` };
}
