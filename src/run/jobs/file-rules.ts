/** Rules for all files of a run, derived from the settings: above all what becomes of a file that exists. */
import type { FileRules } from "../../documents/file/download.ts";
import type { Selection } from "../../documents/tree/selection.ts";
import type { Destination } from "../../files/destination.ts";
import type { Existing } from "../../files/existing.ts";
import type { OwnFiles } from "../../files/own-files.ts";
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
  const { guessType, keepsTime, ebcdicEncoding, segments } = settings;
  const existing = existingFor(settings, isInTree);
  return {
    existing,
    destinationFor: (path) => shared ?? new NamedFile(path, existing, own),
    own,
    sharedPath: settings.outputDocument,
    hasTime: (modified) => !isInTree || selection.hasTime(modified), // a URL names its file
    top: settings.directoryPrefix,
    staysInside: settings.recursive,
    guessType,
    keepsTime,
    ebcdicEncoding,
    segments,
  };
}

/**
 * Decides what becomes of existing files, those of trees and patterns (`isInTree`) or those that URLs name. Pure.
 *
 *     options         stays                                   otherwise
 *     none, patterns  never                                   number
 *     -O              never                                   replace
 *     -nc             always                                  replace
 *     -f              never                                   force
 *     -N              unless newer                            replace
 *     -c              if the same (with -O never)             continue
 *     -r, -m          unless different (without times newer)  replace (where a URL names a file, without -N: number)
 *     -c with these   as without -c                           continue or replace
 *     -r -nd          as -r                                   number (with -N replace), also with -c
 */
export function existingFor(settings: Settings, isInTree = false): Existing {
  const otherwise = otherwiseFor(settings, isInTree);
  // A mirror's directory is the tree's alone, the one of -nd or a pattern is not.
  const replacesLinks = isInTree && settings.recursive && otherwise !== "number";
  return { stays: staysFor(settings), otherwise, replacesLinks };
}

/** In a tree, a file with another time is another file; without the server's times, -N's rule holds. */
function staysFor(settings: Settings): Existing["stays"] {
  const { recursive, timestamping, keepsTime, outputDocument } = settings;
  if (settings.force) return "never";
  if (settings.noClobber) return "always";
  if (recursive && keepsTime) return "unless different";
  if (recursive || timestamping) return "unless newer";
  return settings.continue && outputDocument === undefined ? "if the same" : "never";
}

function otherwiseFor(settings: Settings, isInTree: boolean): Existing["otherwise"] {
  const { recursive, timestamping, noDirectories, outputDocument } = settings;
  if (settings.force) return "force";
  // In the one directory of -nd, a file may be another's.
  const mayContinue = settings.continue && !(recursive && noDirectories);
  if (mayContinue) return recursive || timestamping ? "continue or replace" : "continue";
  const isTrees = isInTree && recursive && !noDirectories;
  const isReplaced = isTrees || timestamping || settings.noClobber || outputDocument !== undefined;
  return isReplaced ? "replace" : "number";
}
