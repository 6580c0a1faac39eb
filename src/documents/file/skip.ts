/**
 * Decides whether the local file stays: before the try by the listing's facts, in the try by the server's, and with -c
 * by its length and time.
 */
import type { Stats } from "node:fs";
import { checkInside } from "../../files/folder.ts";
import { existingFile, found, foundItself, ifRegular } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Observer } from "../events.ts";
import type { Result } from "../result.ts";
import type { Skip } from "../task.ts";
import { requireChecksum, sha256Of, verifiedBy, verifiedText } from "../verify/verification.ts";
import type { Download, FileRules } from "./download.ts";
import { checkKept, differenceHere, type SizeAndTime } from "./timestamping.ts";

type Reason = "left out" | "exists" | "unchanged";

type Rules = Pick<FileRules, "hasTime" | "keepsExisting" | "isToFetch">;

/** The reason for which a file isn't fetched, by the facts that are known of it, and by what is in its place. */
export function reasonToSkip(
  facts: SizeAndTime,
  local: Stats | undefined,
  rules: Rules,
): Reason | undefined {
  // A coarse time doesn't say that a file is too old or too new.
  if (facts.unit === undefined && !rules.hasTime(facts.modified)) return "left out";
  if (local !== undefined && rules.keepsExisting) return "exists";
  return rules.isToFetch?.(facts, ifRegular(local)) === false ? "unchanged" : undefined;
}

/** @throws FtpullError "file" */
export function skipByListing(download: Download): Skip | undefined {
  const { path, rules, listed, verifier } = download;
  // The local directory of a listed file was checked for links when it was made.
  if (rules.staysInside && listed === undefined) checkInside(path, rules.top);
  const reason = reasonToSkip(listed ?? {}, look(download), rules);
  if (reason === undefined || reason === "left out") return reason;
  // Verifying takes long, and an unknown time is asked for: the try does both.
  const isCertain = reason === "exists" || listed?.modified !== undefined;
  if (verifier.isWanted || !isCertain) return undefined;
  return skipped(download, reason, reason === "exists" ? "is there already" : "is unchanged");
}

/** @throws FtpullError "integrity" for a kept file that is damaged; ReplyError if the server couldn't tell */
export async function skipByServer(download: Download, facts: Facts, observer: Observer) {
  const { path, rules, verifier } = download;
  const { checksums } = verifier.known;
  const known = comparable(facts, download);
  const reason = reasonToSkip(known, look(download), rules);
  if (reason === "left out" || reason === undefined) return reason;
  if (reason === "exists") {
    await checkKept(path, checksums, "-nc");
    return skipped(download, reason, "is there already");
  }
  const difference = await differenceHere(path, checksums);
  if (difference !== undefined) {
    observer.info(`"${path}" is fetched again: ${difference}`);
    return undefined;
  }
  // Without all facts, the server's temporary refusal decides: the file may have changed.
  const { size, modified } = known;
  if ((size === undefined || modified === undefined) && facts.failure !== undefined)
    throw facts.failure;
  if (modified === undefined)
    observer.warning(`the server doesn't say how old its file is: "${path}" may be older`);
  const words = modified === undefined ? "is as large as" : "is as new as";
  return { ...skipped(download, reason, `${words} the server's`), ...known };
}

/** The result of a file that -c finds whole. @throws FtpullError "integrity" if a checksum differs */
export async function skipAsWhole(download: Download, { size, modified }: Facts) {
  await checkKept(download.path, download.verifier.known.checksums, "-c");
  return { ...skipped(download, "unchanged", "is whole already"), size, modified };
}

/** What is in the file's place; in a tree a link is replaced, and counts for -nc only. */
function look({ path, rules, document }: Download): Stats | undefined {
  const itself = foundItself(path);
  if (itself === undefined) return undefined;
  if (rules.hasOwnNames) rules.own.claim(path, document.shownUrl, itself);
  if (!itself.isSymbolicLink() || rules.keepsExisting) return itself;
  return rules.replacesLinks ? undefined : found(path);
}

/** The facts to compare a local file with: a size from a listing is no sufficient reason to keep it. */
function comparable(facts: Facts, { listed, shown }: Download): SizeAndTime {
  const { modified = listed?.modified } = facts;
  const isListedSize = facts.source === "listing" && modified === undefined;
  const size = isListedSize && shown === undefined ? undefined : facts.size;
  return modified === undefined ? { size, ...shown } : { size, modified };
}

function skipped(download: Download, reason: "exists" | "unchanged", words: string): Result {
  const { path: file, verifier, isInTree: inTree } = download;
  const { shownUrl: url } = download.document;
  requireChecksum(verifier.known);
  verifier.conclude(url);
  const verified = verifiedBy(verifier.known);
  const explanation = `"${file}" ${words}${verified ? `, ${verifiedText(verified)}` : ""}`;
  const proof = { verified, sha256: sha256Of(verifier.known) };
  const size = existingFile(file)?.size;
  return { url, status: "skipped", exit: 0, file, reason, explanation, size, inTree, ...proof };
}
