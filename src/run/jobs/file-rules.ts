/** Rules for all files of a run, derived from the settings: their paths, and which files they replace. */
import type { FileRules } from "../../documents/file/download.ts";
import { isDifferent, isNewer } from "../../documents/file/timestamping.ts";
import type { Selection } from "../../documents/tree/selection.ts";
import type { Destination } from "../../files/destination.ts";
import { NamedFile } from "../../files/part/named-file.ts";
import type { Collision } from "../../files/part/publish.ts";
import type { Settings } from "../../options/command-line.ts";

/** `shared` is the file of -O; `isBelow` is true for files in trees, not for those that URLs name. */
export function fileRules(
  settings: Settings,
  shared: Destination | undefined,
  selection: Selection,
  isBelow: boolean,
): FileRules {
  const { outputDocument, recursive, force, timestamping, spider, noMtime } = settings;
  const collision = collisionFor(settings, isBelow);
  const isCompared =
    outputDocument === undefined && !spider && (timestamping || (recursive && !force));
  return {
    destinationFor: (path) => shared ?? new NamedFile(path, collision),
    sharedPath: outputDocument,
    hasOwnNames: outputDocument === undefined && (recursive || collision !== "number"),
    keepsExisting: settings.noClobber,
    // In a tree, a file with another time is another file; without the server's times, -N's rule holds.
    isToFetch: isCompared ? (recursive && !noMtime ? isDifferent : isNewer) : undefined,
    hasTime: (modified) => selection.hasTime(modified),
    top: settings.directoryPrefix,
    refusesLinks: isBelow,
    staysInside: recursive,
    isMirror: timestamping || settings.mirror || settings.delete,
    guessType: settings.guessType,
    keepsTime: !noMtime,
    ebcdicEncoding: settings.ebcdicEncoding,
    segments: settings.segments,
  };
}

function collisionFor(settings: Settings, isBelow: boolean): Collision {
  const { force, timestamping, recursive, noClobber, mirror, noMtime } = settings;
  const hasTimes = timestamping || (mirror && !noMtime) || (isBelow && recursive);
  // If sizes and times are compared, a shorter file is another document, not a part of this one.
  if (settings.continue) return hasTimes ? "resume" : "continue";
  if (noClobber) return "fail";
  return force || hasTimes ? "replace" : "number";
}
