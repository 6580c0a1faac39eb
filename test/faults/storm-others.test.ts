/** Storms in which others take part: runs of the same tree, a sleeping one, other users. */
import { test } from "vitest";
import { campaign } from "../support/campaign.ts";
import { Random } from "./support/random.ts";
import type { Began, Place } from "./support/storm-place.ts";
import { nameForms } from "./support/storm-names.ts";
import { hiddenNames, mixtures, restartPoints, virtualHosts } from "./support/storm-replies.ts";
import { longSleep, sameDocument, severalRuns, sleeper } from "./support/storm-runs.ts";
import { otherUser } from "./support/storm-users.ts";

type Storm = (random: Random, began: Began) => Promise<void>;

const isRoot = process.getuid?.() === 0;

const storms: Readonly<Record<string, Storm>> = {
  "several runs fetch one tree at once": severalRuns,
  "several runs fetch one document at once": sameDocument,
  "a run sleeps for longer than -T": longSleep,
  "a run sleeps while another takes its partial file over": sleeper,
  "names of files of which the file system takes two for one": nameForms,
  "SIZE, MDTM, REST and RETR fail for now among segments and texts": restartPoints,
  "a server serves another host's files without HOST": virtualHosts,
  "LIST -a fails for now, and names are hidden": hiddenNames,
  "a document is replaced, and its time is known once": mixtures,
};

/** Seeds of each storm: ten runs in all in `npm test`. */
const size = { sample: 1, full: 300, width: 4, budgetMs: 40_000 };

const timeout = 7_200_000;

test.each(Object.entries(storms))("%s", { timeout }, stormed);

/** Only root can give files to another user. */
test.runIf(isRoot)("another user has been there before", { timeout }, ({ task }) =>
  stormed(task.name, otherUser),
);

function stormed(title: string, storm: Storm): Promise<void> {
  return campaign({ title, ...size }, (seed) => told(storm, seed));
}

/** Resolves with the story of a storm that went wrong. */
async function told(storm: Storm, seed: number): Promise<string | undefined> {
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
