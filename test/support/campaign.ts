/**
 * Campaigns: one claim for many seeds. The first seed that fails ends the campaign, and is reported
 * with its transcript. SEEDS=7 repeats one run, SEEDS=1-3000 makes many.
 */
import { expect } from "vitest";
import { isLong } from "./long.ts";

export interface Campaign {
  readonly title: string;
  /** Number of runs in `npm test`; a full campaign has no fewer. */
  readonly sample: number;
  readonly full: number;
  /** Number of runs at a time: most of a run is waiting. */
  readonly width: number;
  /** Milliseconds after which a full campaign begins no more runs. */
  readonly budgetMs: number;
}

const only = process.env["SEEDS"]?.split("-").map(Number);

/** Calls `run` for each seed; `run` resolves with a description of the error, or throws it. */
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
