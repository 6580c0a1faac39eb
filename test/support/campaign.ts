/**
 * Campaigns: one claim for many seeds. The first seed that fails is told at once, with its whole
 * story, and ends the campaign. SEEDS=7 repeats one run, SEEDS=1-3000 makes so many.
 */
import { expect } from "vitest";
import { isLong } from "./long.ts";

export interface Campaign {
  readonly title: string;
  /** How many runs `npm test` makes, and a campaign in full at the least. */
  readonly sample: number;
  /** How many it makes in full. */
  readonly full: number;
  /** How many at a time: most of a run is waiting. */
  readonly width: number;
  /** When a campaign in full begins no more runs, in ms. */
  readonly budgetMs: number;
}

const only = process.env["SEEDS"]?.split("-").map(Number);

/** Calls `run` for each seed; it resolves with what was wrong, if anything was, or throws it. */
export async function campaign(
  { title, sample, full, width, budgetMs }: Campaign,
  run: (seed: number) => Promise<string | void>,
): Promise<void> {
  const [first = 1, last = first] = only ?? [1, isLong ? full : sample];
  const least = only === undefined ? sample : Infinity;
  const began = performance.now();
  let seed = first;
  let failure: string | undefined;
  const isOver = (): boolean =>
    seed > last ||
    failure !== undefined ||
    (seed - first >= least && performance.now() - began > budgetMs);
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const own = seed++;
      const wrong = await run(own).catch(String);
      if (wrong === undefined) continue;
      failure ??= `SEEDS=${own}\n${wrong}`;
      process.stderr.write(`${title}: SEEDS=${own}\n${wrong}\n`);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const seconds = Math.round((performance.now() - began) / 1000);
  if (isLong) process.stderr.write(`${title}: ${seed - first} of ${full} runs in ${seconds} s\n`);
  expect(failure ?? "", title).toBe("");
}
