/**
 * Decides whether the local file stays, in three places: before the try by the listing, in the try by the server's
 * facts, and with -c by its octets. The reasons have one order: "left out", "exists", "unchanged".
 */
import type { Version } from "../../files/destination.ts";
import { cannotContinue, cannotWrite } from "../../files/file-error.ts";
import { checkInside } from "../../files/folder.ts";
import { existingFile, found, foundItself, ifRegular } from "../../files/regular-file.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Result } from "../result.ts";
import type { Tries } from "../task-tries.ts";
import type { Skip } from "../task.ts";
import { requireChecksum, sha256Of, verifiedBy, verifiedText } from "../verify/verification.ts";
import type { Download } from "./download.ts";
import { checkKept, isNewer, type Local, reasonToKeep } from "./timestamping.ts";

export function skipByListing(download: Download): Skip | undefined {
  const { rules, path, verifier } = download;
  const { facts } = download.options;
  if (!rules.hasTime(facts?.modified)) return "left out";
  const itself = claimPath(download);
  // Verifying takes long: the try does it, and warns of an unknown time.
  if (verifier.isWanted) return undefined;
  if (rules.keepsExisting && download.isThere)
    return skipped(download, "exists", `"${path}" is there already`);
  if (facts?.modified === undefined) return undefined;
  const local = itself?.isSymbolicLink() ? existingFile(path) : ifRegular(itself);
  const isToFetch = rules.isToFetch?.(facts, local) ?? true;
  return isToFetch ? undefined : skipped(download, "unchanged", `"${path}" is unchanged`);
}

export async function skipByServer(download: Download, facts: Facts, { observer }: Tries) {
  const { rules, path, verification, verifier, options } = download;
  const kept = { path, checksums: verification.checksums, observer };
  const known = comparable(facts, options.facts);
  if (options.isInTree && !rules.hasTime(known.modified)) return "left out";
  if (verifier.isWanted && rules.keepsExisting && download.isThere) {
    await checkKept(kept, "-nc");
    return skipped(download, "exists", `"${path}" is there already`);
  }
  const itself = foundItself(path);
  if (itself === undefined) return undefined;
  if (download.file !== undefined) rules.own.claim(path, download.document.shownUrl, itself);
  const isLink = itself.isSymbolicLink();
  if (isLink && known.size !== undefined && !removeLink(download)) return undefined;
  const reason = rules.isToFetch && (await reasonToKeep(kept, rules.isToFetch, known));
  if (reason === undefined) return isLink && rules.refusesLinks ? refuseLink(path) : undefined;
  // Without all facts, the server's temporary refusal decides: the file may have changed.
  const isUnsure = known.size === undefined || known.modified === undefined;
  if (isUnsure && facts.failure !== undefined) throw facts.failure;
  return { ...skipped(download, "unchanged", reason), ...known };
}

/** The result of a file that -c finds with the document's size. @throws FtpullError "integrity" if it may be another one */
export async function skipAsWhole(download: Download, here: Local, now: Version, tries: Tries) {
  const { path, verification } = download;
  const { checksums } = verification;
  if (checksums.length === 0 && isNewer(now, here))
    throw cannotContinue("the server's file is newer than the file here, and as large");
  await checkKept({ path, checksums, observer: tries.observer }, "-c");
  const { size, modified } = now;
  const what = checksums.length > 0 ? "is whole already" : "is as large as the server's";
  return { ...skipped(download, "unchanged", `"${path}" ${what}`), size, modified };
}

function claimPath(download: Download) {
  const { path, rules, options } = download;
  const isListed = options.facts !== undefined;
  let itself = isListed ? foundItself(path) : undefined;
  if (itself?.isSymbolicLink()) itself = removeLink(download);
  // The local directory of a listed file was checked for links when it was made.
  const isInside = isListed && itself?.isSymbolicLink() !== true;
  if (rules.staysInside && !isInside) checkInside(path, rules.top);
  if (itself !== undefined && download.file !== undefined)
    rules.own.claim(path, download.document.shownUrl, itself);
  return itself;
}

/** Removes a link that leads inside of the tree; returns what is at the path then. */
function removeLink({ path, rules, document }: Download) {
  const { refusesLinks, staysInside, keepsExisting } = rules;
  if (refusesLinks && staysInside && !keepsExisting) removeTreeLink(path, document.shownUrl, rules);
  return foundItself(path);
}

/** The facts to compare a local file with: a size from a listing is no sufficient reason to keep it. */
function comparable(facts: Facts, listed: Facts | undefined) {
  const { modified = listed?.modified } = facts;
  const isListedSize = facts.source === "listing" && modified === undefined;
  return { size: isListedSize ? undefined : facts.size, modified };
}

/** Writing through the link could overwrite another file. @throws FtpullError "file" */
function refuseLink(path: string): undefined {
  if (found(path)?.isDirectory() === true) return undefined;
  const words = "it is a symbolic link, which may lead to another file of the tree";
  throw cannotWrite(path, words, "remove the link: the file takes its place");
}

function skipped(download: Download, reason: "exists" | "unchanged", explanation: string): Result {
  const { path: file, verification } = download;
  const { shownUrl: url } = download.document;
  const inTree = download.options.isInTree;
  requireChecksum(verification);
  const verified = verifiedBy(verification);
  const sha256 = sha256Of(verification);
  const proof = verified === undefined ? "" : `, ${verifiedText(verified)}`;
  const facts = { size: existingFile(file)?.size, inTree, verified, sha256 };
  return {
    url,
    status: "skipped",
    exit: 0,
    file,
    reason,
    explanation: explanation + proof,
    ...facts,
  };
}
