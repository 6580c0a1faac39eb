/** Decides whether the local file stays: before the try by the listing's facts, in the try by the server's too. */
import type { Stats } from "node:fs";
import { differenceHere } from "../../checksums/document-hash.ts";
import { FtpullError } from "../../errors.ts";
import { hints } from "../../hints.ts";
import { checkInside } from "../../files/links.ts";
import { PartFile } from "../../files/part/part-file.ts";
import { existingFile } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Observer } from "../events.ts";
import type { Result } from "../result.ts";
import type { Skip } from "../task.ts";
import { verifiedText } from "../verify/verification.ts";
import type { Download, FileRules } from "./download.ts";
import type { Incoming } from "./incoming.ts";
import { exactTime, isUnchanged } from "../facts.ts";

type Reason = "left out" | "exists" | "unchanged";

/** Why a file isn't fetched, by the facts that are known of it, and by what has its name here. Pure. */
export function reasonToSkip(
  facts: Partial<Facts>,
  local: Stats | undefined,
  { hasTime, existing: { stays } }: Pick<FileRules, "hasTime" | "existing">,
): Reason | undefined {
  // A coarse time doesn't say that a file is too old or too new.
  if (!hasTime(exactTime(facts))) return "left out";
  if (local === undefined || stays === "never") return undefined;
  if (stays === "always") return "exists";
  // The size of a listing, without any time, is no sufficient reason.
  const isVague = facts.source === "listing" && facts.modified === undefined;
  const isKept = !isVague && local.isFile() && isUnchanged(facts, local, stays);
  return isKept ? "unchanged" : undefined;
}

/** @throws FtpullError "file" */
export function skipByListing(file: Incoming): Skip | undefined {
  const { path, rules, listed, verifier } = file.download;
  // The local directory of a listed file was checked for links when it was made.
  if (rules.staysInside && listed === undefined) checkInside(path, rules.top);
  const local = presentHere(file);
  const reason = reasonToSkip(listed ?? {}, local, rules);
  if (reason === undefined || reason === "left out") return reason;
  // Verifying takes long, and what a listing lacks is asked for: the try does both.
  const isKnown = listed?.source === "server" && listed.modified !== undefined;
  const isCertain = isKnown || reason === "exists";
  return verifier.isWanted || !isCertain ? undefined : concludeKept(file.download, reason, local);
}

export function skipByServer(file: Incoming, facts: Facts, observer: Observer) {
  const reason = reasonToSkip(facts, presentHere(file), file.download.rules);
  const isKept = reason === "exists" || reason === "unchanged";
  return isKept ? keepIfIntact(file, reason, facts, observer) : reason;
}

/**
 * The result of a local file that stays; undefined for one that is fetched again, since it is damaged. @throws
 * FtpullError "integrity" where that may not be; ReplyError if the server couldn't tell its facts
 */
export async function keepIfIntact(
  file: Incoming,
  reason: "exists" | "unchanged",
  { size, modified, failure }: Facts,
  observer: Observer,
): Promise<Result | undefined> {
  const { path, rules, verifier } = file.download;
  const difference = await differenceHere(path, verifier.checksums);
  const isLeft = reason === "exists" || rules.existing.otherwise === "continue";
  if (difference !== undefined && isLeft) {
    const words = `"${path}" is left as it is: ${difference}`;
    throw new FtpullError("integrity", words, { hint: hints.replace });
  }
  if (difference !== undefined) {
    observer.info(`"${path}" is fetched again: ${difference}`);
    return undefined;
  }
  const local = presentHere(file);
  if (reason === "exists") return concludeKept(file.download, reason, local);
  // Without all facts, the server's temporary refusal decides: the file may have changed.
  if ((size === undefined || modified === undefined) && failure !== undefined) throw failure;
  if (modified === undefined)
    observer.warning(`the server doesn't say how old its file is: "${path}" may be older`);
  return { modified, ...concludeKept(file.download, reason, local) };
}

function presentHere({ destination, download }: Incoming): Stats | undefined {
  const { isNewHere, document } = download;
  return isNewHere ? undefined : destination.present(document.shownUrl);
}

/** The result of a file that stays; it is this run's now. @throws FtpullError "integrity" without a checksum that is required */
function concludeKept(
  { path: file, rules, verifier, document, isInTree: inTree }: Download,
  reason: "exists" | "unchanged",
  local: Stats | undefined,
): Result {
  const { shownUrl: url } = document;
  if (rules.sharedPath === undefined && local !== undefined) rules.own.note(file, url, local);
  const verified = verifier.conclude(url);
  if (reason === "unchanged") PartFile.clear(file, url);
  const words = reason === "exists" ? "is there already" : "is unchanged";
  const explanation = `"${file}" ${words}${verified ? `, ${verifiedText(verified)}` : ""}`;
  const size = (local?.isFile() ? local : existingFile(file))?.size;
  return { url, status: "skipped", exit: 0, file, reason, explanation, size, inTree, verified };
}
