/** What a job needs when its turn comes: its destination, and what the command line says of it. */
import type { Observer } from "../../documents/events.ts";
import type { CommandFor } from "../../documents/hints.ts";
import type { Job, ListingOutput, QueuedJob } from "../../documents/job.ts";
import type { Inventory } from "../../documents/spider/inventory.ts";
import type { Destination } from "../../files/destination.ts";
import { NamedFile } from "../../files/part/named-file.ts";
import type { Collision } from "../../files/part/publish.ts";
import type { Settings } from "../../options/command-line.ts";
import type { Plan } from "../../url/plan.ts";
import { continuingCommand } from "../same-command.ts";
import { getsNumber, settingsOf } from "./job-source.ts";
import { planFor } from "./queued-jobs.ts";
import { skipsFor } from "./skips.ts";

/** Where documents go that don't get a file of their own name. */
export interface Outputs {
  /** Of --spider. */
  readonly inventory: Inventory | undefined;
  /** The file of -O; undefined when there is none. */
  readonly shared: Destination | undefined;
  readonly listing: ListingOutput;
}

/** Makes jobs ready to be done. */
export function jobOpener(
  settings: Settings,
  { shared, listing, inventory }: Outputs,
  observer: Observer,
  commandFor: CommandFor,
): (queued: QueuedJob) => Job {
  const { ebcdicEncoding, segments, noMtime } = settings;
  return (queued) => {
    const { url, shownUrl, presumed, plan, name, path, file, expected, branch } = queued;
    const listsInstead = shared === undefined && expected.length === 0 && !settings.json;
    const destination = shared ?? new NamedFile(path, collisionFor(settingsOf(queued, settings)));
    return {
      // One by one: spreading them takes longer than all the rest of a job.
      url,
      shownUrl,
      presumed,
      plan,
      name,
      path,
      file,
      planFor: (isUtf8) => plan ?? serverPlan(queued, settings, isUtf8, observer),
      destination,
      expected,
      branch,
      continuation: () => {
        if (branch !== undefined) return continuingCommand(settings);
        const { label } = destination;
        const target = label === name ? [] : ["-O", label];
        return commandFor(url, "-c", ...target);
      },
      listing,
      listsInstead: branch !== undefined || listsInstead,
      ebcdicEncoding,
      keepsTime: !noMtime,
      segments,
      inventory,
      skips: skipsFor(queued, settings, observer),
    };
  };
}

function collisionFor(settings: Settings): Collision {
  if (getsNumber(settings)) return "number";
  const { recursive, noClobber } = settings;
  // In a tree, a file of another size or time is another document, not the beginning of this one.
  if (settings.continue) return recursive ? "resume" : "continue";
  return noClobber ? "fail" : "replace";
}

/** Characters that stand raw in a URL are sent in UTF-8 where the server has it (S10). */
function serverPlan(
  { url, presumed }: QueuedJob,
  settings: Settings,
  isUtf8: boolean,
  observer: Observer,
): Plan {
  if (isUtf8) return planFor(url, settings, undefined);
  if (settings.remoteEncoding === undefined) {
    observer.warning(
      "the server doesn't say that its names are UTF-8: if it can't find this one, try --remote-encoding",
    );
  }
  return presumed;
}
