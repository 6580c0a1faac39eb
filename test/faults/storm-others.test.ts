/** Storms of trees, and of several runs and users at once, while a server does all that servers do. */
import { test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { Random } from "./support/random.ts";
import type { Began, Place } from "./support/storm-place.ts";
import { sameDocument, severalRuns, sleeper } from "./support/storm-runs.ts";
import { stormOfTrees } from "./support/storm-tree.ts";
import { otherUser } from "./support/storm-users.ts";

type StormOf = (random: Random, began: Began) => Promise<void>;

const timeout = 7_200_000;

const trees = { title: "of trees", sample: 5, full: 300, width: 6, budgetMs: 100_000 };

test("storms of trees", { timeout }, () => campaign(trees, (seed) => told(stormOfTrees, seed)));

const others: Readonly<Record<string, StormOf>> = {
  "several runs fetch one tree at once": severalRuns,
  "several runs fetch one file at once": sameDocument,
  "a run sleeps while another takes its partial file over": sleeper,
  // Only root can give files to another user.
  ...(process.getuid?.() === 0 && { "another user has been there before": otherUser }),
};

const size = { sample: 1, full: 300, width: 4, budgetMs: 40_000 };

test.each(Object.entries(others))("%s", { timeout }, (title, storm) =>
  campaign({ title, ...size }, (seed) => told(storm, seed)),
);

/** Resolves with the story of a storm that went wrong. */
async function told(storm: StormOf, seed: number): Promise<string | undefined> {
  let place: Place | undefined;
  try {
    await storm(new Random(seed), (made) => (place = made));
    return undefined;
  } catch (error) {
    return [...(place?.story ?? []), String(error), place?.server.transcript()].join("\n");
  } finally {
    await place?.server.close().catch(() => undefined); // that a client left is no mistake of a script
  }
}
