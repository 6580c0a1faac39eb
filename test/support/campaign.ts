/**
 * Campaigns: one claim for many seeds. The first seed that fails ends the campaign, and is reported
 * with its transcript. SEEDS=7 repeats one run, SEEDS=1-3000 makes many.
 */
import { expect } from "vitest";
import { isLong } from "./long.ts";

/**
 * A campaign: `sample` runs in `npm test`, up to `full` in a long one, which begins no more runs after
 * `budgetMs`; `width` runs at a time, since most of a run is waiting.
 */
export interface Campaign {
  readonly title: string;
  readonly sample: number;
  readonly full: number;
  readonly width: number;
  readonly budgetMs: number;
}

const chosenSeeds = process.env["SEEDS"]?.split("-").map(Number);

export async function campaign(
  { title, sample, full, width, budgetMs }: Campaign,
  run: (seed: number) => Promise<string | void>,
): Promise<void> {
  const [first = 1, last = first] = chosenSeeds ?? [1, isLong ? full : sample];
  const leastRuns = chosenSeeds === undefined ? sample : Infinity;
  const began = performance.now();
  let nextSeed = first;
  let failure: string | undefined;
  const isOver = (): boolean => {
    if (nextSeed > last || failure !== undefined) return true;
    const hasLeastRuns = nextSeed - first >= leastRuns;
    return hasLeastRuns && performance.now() - began > budgetMs;
  };
  const work = async (): Promise<void> => {
    while (!isOver()) {
      const seed = nextSeed++;
      const error = await run(seed).catch(String);
      if (error === undefined) continue;
      failure ??= `SEEDS=${seed}\n${error}`;
      process.stderr.write(`${title}: SEEDS=${seed}\n${error}\n`);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  const seconds = Math.round((performance.now() - began) / 1000);
  if (isLong)
    process.stderr.write(`${title}: ${nextSeed - first} of ${full} runs in ${seconds} s\n`);
  expect(failure ?? "", title).toBe("");
}
