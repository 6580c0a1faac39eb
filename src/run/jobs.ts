/** What a job needs when its turn comes: its destination, and what the command line says of it. */
import type { Observer } from "../documents/events.ts";
import { reasonToKeep } from "../documents/file/timestamping.ts";
import type { Job, ListingOutput, QueuedJob } from "../documents/job.ts";
import type { SharedDestination } from "../files/destination.ts";
import { NamedFile } from "../files/part/named-file.ts";
import { inMemory } from "../files/part/small-document.ts";
import { isTaken } from "../files/regular-file.ts";
import type { Settings } from "../options/command-line.ts";
import { quoteForShell } from "../url/format.ts";
import type { Plan } from "../url/plan.ts";
import { planFor } from "./queued-jobs.ts";

/** Where documents go that don't get a file of their own name. */
export interface Outputs {
  /** The file of -O; undefined when there is none. */
  readonly shared: SharedDestination | undefined;
  readonly listing: ListingOutput;
}

/** Makes jobs ready to be done. */
export function jobOpener(
  settings: Settings,
  { shared, listing }: Outputs,
  observer: Observer,
): (queued: QueuedJob) => Job {
  const { ebcdicEncoding, segments, noMtime, timestamping } = settings;
  const replaces = settings.force || timestamping;
  const collision = settings.continue ? "continue" : replaces ? "replace" : "number";
  return (queued) => {
    const { url, shownUrl, presumed, plan, name, path, file, expected } = queued;
    const destination = shared ?? new NamedFile(path, collision, inMemory, shownUrl);
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
      continuation: () => {
        const { label } = destination;
        const target = label === name ? [] : ["-O", label];
        return ["ftpull", "-c", ...target, shownUrl].map(quoteForShell).join(" ");
      },
      listing,
      listsInstead: shared === undefined && expected.length === 0,
      ebcdicEncoding,
      keepsTime: !noMtime,
      segments,
      skips: timestamping ? reasonToKeep(path, expected, observer) : undefined,
    };
  };
}

/** --no-clobber: whether a document's file is there. */
export function whyThere(
  { presumed, path }: QueuedJob,
  { noClobber }: Settings,
): string | undefined {
  const isThere = noClobber && presumed.action !== "list" && isTaken(path);
  return isThere ? `"${path}" is there already` : undefined;
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
