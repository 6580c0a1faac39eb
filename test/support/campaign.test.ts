import { expect, test, vi } from "vitest";
import { campaign } from "./campaign.ts";

const campaignOf = { title: "none", sample: 5, full: 5, width: 1, budgetMs: 0 };

test("the first seed that fails ends a campaign, and is told with its story", async () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const seeds: number[] = [];
  const run = async (seed: number): Promise<string | undefined> => {
    seeds.push(seed);
    if (seed === 2) throw new Error("the story");
    return undefined;
  };
  await expect(campaign(campaignOf, run)).rejects.toThrow("SEEDS=2");
  expect(seeds).toEqual([1, 2]);
  expect(write).toHaveBeenCalledWith("none: SEEDS=2\nError: the story\n");
  write.mockRestore();
});

test("a campaign makes the runs of the sample also when its time is up", async () => {
  const seeds: number[] = [];
  await campaign({ ...campaignOf, full: 1000 }, async (seed) => void seeds.push(seed));
  expect(seeds).toEqual([1, 2, 3, 4, 5]);
});
