/** Storms of files: nothing is wrong in silence, given up though it can be had, or left behind. */
import { test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { deafPort } from "../support/deaf-port.ts";
import { stormOfDocuments } from "./support/storm-documents.ts";

/** In `npm test` each theme is met three times. */
const storms = { title: "storms of files", sample: 15, full: 1000, width: 10, budgetMs: 120_000 };

test(storms.title, { timeout: 7_200_000 }, async () => {
  const deaf = await deafPort();
  await campaign(storms, (seed) => stormOfDocuments(seed, deaf));
});
