/** Why a document isn't fetched: --no-clobber, -N, -r, --newer-than and --older-than. */
import type { Observer } from "../../documents/events.ts";
import { isDifferent, isNewer, reasonToKeep } from "../../documents/file/timestamping.ts";
import type { Job, QueuedJob, Skip } from "../../documents/job.ts";
import { hasTime } from "../../documents/tree/selection.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { checkInside } from "../../files/folder.ts";
import { asExisting, existingFile, found, foundItself, isTaken } from "../../files/regular-file.ts";
import type { Settings } from "../../options/command-line.ts";

/**
 * What local files and the directory's listing say, before the server is asked.
 * @throws FtpullError "file" where a local link leads out of the directory that the user chose
 */
export function skipAtOnce(job: QueuedJob, settings: Settings): Skip | undefined {
  const { presumed, path, branch, expected } = job;
  if (settings.spider || branch?.isQuestion) return undefined;
  // A file's directory was checked when it was made.
  const isInTree = branch !== undefined && branch.list === undefined;
  const itself = isInTree ? foundItself(path) : undefined;
  const isChecked = isInTree && itself?.isSymbolicLink() !== true;
  if (settings.recursive && !isChecked) checkInside(path, settings.directoryPrefix);
  const facts = branch?.facts;
  if (facts !== undefined && !hasTime(settings, facts.modified)) return "left out";
  const mayBeListed = branch?.list !== undefined && found(path)?.isDirectory() === true;
  if (settings.noClobber && presumed.action !== "list" && !mayBeListed && isTaken(path))
    return { reason: "exists", explanation: `"${path}" is there already` };
  // Verifying a file takes time, and an unknown one is warned about: both are left to the job.
  if (facts?.modified === undefined || expected.length > 0) return undefined;
  if (!isCompared(settings)) return undefined;
  const file = isChecked ? asExisting(itself) : existingFile(path);
  const isSame = !differs(settings)(facts, file);
  return isSame ? { reason: "unchanged", explanation: `"${path}" is unchanged` } : undefined;
}

/** Makes the check that follows when the server's facts are known. */
export function skipsFor(job: QueuedJob, settings: Settings, observer: Observer): Job["skips"] {
  const { newerThan, olderThan } = settings;
  const isLimited = job.branch !== undefined && (newerThan ?? olderThan) !== undefined;
  const { path, expected } = job;
  const isInTree = job.branch !== undefined && job.branch.label !== "";
  const mayBeLink = isInTree && job.file !== undefined;
  const reason = isCompared(settings)
    ? reasonToKeep(path, expected, observer, differs(settings))
    : undefined;
  if (!isLimited && !mayBeLink && reason === undefined) return undefined;
  return async (facts) => {
    if (isLimited && !hasTime(settings, facts.modified)) return "left out";
    const explanation = await reason?.(facts);
    if (explanation !== undefined) return { reason: "unchanged", explanation };
    if (mayBeLink) refuseLink(path);
    return undefined;
  };
}

/** Other programs mirror links as links: one listed file would go over another. @throws FtpullError */
function refuseLink(path: string): void {
  if (foundItself(path)?.isSymbolicLink() !== true || found(path)?.isDirectory() === true) return;
  const words = "it is a symbolic link, which may lead to another file of the tree";
  throw cannotWrite(path, words, "remove the link: the file takes its place");
}

/** Whether a file of this size is here and stays if the server's time is the same. */
export function mayBeUnchanged(path: string, size: number, settings: Settings): boolean {
  if (settings.noClobber || !isCompared(settings)) return false;
  try {
    return existingFile(path)?.octets === size;
  } catch {
    return false; // the file's own job will fail
  }
}

/** Whether a file that is as the server's stays. */
function isCompared(settings: Settings): boolean {
  const { timestamping, recursive, force, outputDocument, spider } = settings;
  return outputDocument === undefined && !spider && (timestamping || (recursive && !force));
}

/** In a tree, a file with another time is another one; without the server's times, -N's rule holds. */
function differs({ recursive, noMtime }: Settings): typeof isNewer {
  return recursive && !noMtime ? isDifferent : isNewer;
}
