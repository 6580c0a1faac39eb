/** Rules for all files of a run, derived from the settings: their paths, and which files they replace. */
import type { FileRules } from "../../documents/file/download.ts";
import { isDifferent, isNewer, isUnlike } from "../../documents/file/facts.ts";
import type { Selection } from "../../documents/tree/selection.ts";
import type { Destination } from "../../files/destination.ts";
import type { OwnFiles } from "../../files/own-files.ts";
import type { Existing } from "../../files/part/local-name.ts";
import { NamedFile } from "../../files/part/named-file.ts";
import type { Settings } from "../../options/command-line.ts";

interface RuleParts {
  readonly settings: Settings;
  readonly shared: Destination | undefined;
  readonly selection: Selection;
  readonly own: OwnFiles;
}

export function fileRules(parts: RuleParts, isInTree: boolean): FileRules {
  const { settings, shared, selection, own } = parts;
  const { outputDocument, recursive, timestamping } = settings;
  const existing = existingFor(settings, isInTree);
  // A mirror's directory is the tree's alone, the one of -nd or a pattern is not.
  const replacesLinks = isInTree && recursive && existing !== "number";
  const naming = { existing, replacesLinks, own };
  return {
    ...settings,
    destinationFor: (path) => shared ?? new NamedFile(path, naming),
    own,
    sharedPath: outputDocument,
    hasOwnNames: outputDocument === undefined && (recursive || existing !== "number"),
    keepsExisting: settings.existing === "keep",
    mustContinue: existing === "continue" && !recursive && !timestamping,
    isToFetch: comparisonFor(settings),
    hasTime: (modified) => !isInTree || selection.hasTime(modified), // a URL names its file
    top: settings.directoryPrefix,
    replacesLinks,
    staysInside: recursive,
  };
}

/** In a tree, a file with another time is another file; without the server's times, -N's rule holds. */
function comparisonFor(settings: Settings): FileRules["isToFetch"] {
  const { recursive, timestamping, existing, keepsTime, outputDocument } = settings;
  if (existing === "replace") return undefined;
  if (recursive || timestamping) return recursive && keepsTime ? isDifferent : isNewer;
  return existing === "continue" && outputDocument === undefined ? isUnlike : undefined;
}

/** What becomes of an existing file: a tree compares it, but in the one directory of -nd it may be another's. */
function existingFor(
  { existing, recursive, noDirectories }: Settings,
  isInTree: boolean,
): Existing {
  if (!isInTree || !recursive) return existing;
  if (existing === "continue" && noDirectories) return "number";
  return existing === "number" && !noDirectories ? "newer" : existing;
}
