/** Rules for all files of a run, derived from the settings: their paths, and which files they replace. */
import type { FileRules } from "../../documents/file/download.ts";
import { isDifferent, isNewer } from "../../documents/file/timestamping.ts";
import type { Selection } from "../../documents/tree/selection.ts";
import type { Destination } from "../../files/destination.ts";
import type { OwnFiles } from "../../files/own-files.ts";
import type { Collision } from "../../files/part/local-name.ts";
import { NamedFile } from "../../files/part/named-file.ts";
import type { Settings } from "../../options/command-line.ts";

export function fileRules(
  settings: Settings,
  shared: Destination | undefined,
  selection: Selection,
  { isInTree, own }: { isInTree: boolean; own: OwnFiles },
): FileRules {
  const { outputDocument, recursive } = settings;
  const collision = collisionFor(settings, isInTree);
  // A mirror's directory is the tree's alone, the one of -nd or a pattern is not.
  const replacesLinks = isInTree && recursive && collision !== "number";
  const naming = { collision, replacesLinks, own };
  return {
    ...settings,
    destinationFor: (path) => shared ?? new NamedFile(path, naming),
    own,
    sharedPath: outputDocument,
    hasOwnNames: outputDocument === undefined && (recursive || collision !== "number"),
    keepsExisting: settings.existing === "keep",
    isToFetch: comparisonFor(settings),
    hasTime: (modified) => !isInTree || selection.hasTime(modified), // a URL names its file
    top: settings.directoryPrefix,
    replacesLinks,
    staysInside: recursive,
  };
}

/** In a tree, a file with another time is another file; without the server's times, -N's rule holds. */
function comparisonFor({ recursive, existing, keepsTime }: Settings): FileRules["isToFetch"] {
  if (existing !== "newer" && (!recursive || existing === "replace")) return undefined;
  return recursive && keepsTime ? isDifferent : isNewer;
}

/** What becomes of an existing file: a tree compares it, but in the one directory of -nd it may be another's. */
function collisionFor(settings: Settings, isInTree: boolean): Collision {
  const { existing, recursive, noDirectories } = settings;
  const isElse = existing === "continue" || (isInTree && existing === "number");
  if (!recursive || !isElse) return existing;
  return isInTree && noDirectories ? "number" : "newer";
}
