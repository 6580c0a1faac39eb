/** Decides if the local file stays as it is: first by facts from before the task, then by the server's. */
import { clockMs } from "../../clock.ts";
import { claimFile } from "../../files/claims.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { checkInside } from "../../files/folder.ts";
import { removeLeft } from "../../files/part/part-folder.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import { existingFile, found, foundItself, ifRegular, isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Tries } from "../task-tries.ts";
import type { Result } from "../result.ts";
import type { Skip } from "../task.ts";
import { Download } from "./download.ts";
import { checkKept, reasonToKeep } from "./timestamping.ts";

/** Time for which a name that `skip` found free isn't looked up again. */
const freshMs = 1000;

export abstract class SkippableFile extends Download {
  #freeAtMs = -Infinity;

  protected giveBack: (() => void) | undefined;

  skip(): Skip | undefined {
    const { rules, path, verification } = this;
    this.giveBack = this.options.claim?.();
    const { facts } = this.options;
    if (!rules.hasTime(facts?.modified)) return "left out";
    let itself = facts && foundItself(path);
    if (itself?.isSymbolicLink() && this.#removesLink()) itself = undefined;
    if (facts !== undefined && itself === undefined) this.#freeAtMs = clockMs();
    // The local directory of a listed file was checked for links when it was made.
    const isInside = facts !== undefined && itself?.isSymbolicLink() !== true;
    if (rules.staysInside && !isInside) checkInside(path, rules.top);
    if (itself !== undefined && this.file !== undefined) claimFile(path);
    // Verifying takes long: the try does it, and warns of an unknown time.
    if (verification.isWanted) return undefined;
    if (rules.keepsExisting && this.isThere)
      return this.#skipped("exists", `"${path}" is there already`);
    if (facts?.modified === undefined) return undefined;
    const isSame = rules.isToFetch?.(facts, isInside ? ifRegular(itself) : existingFile(path));
    return isSame === false ? this.#skipped("unchanged", `"${path}" is unchanged`) : undefined;
  }

  protected get isThere(): boolean {
    return isTaken(this.path);
  }

  #removesLink(): boolean {
    const { path, rules } = this;
    const { refusesLinks, staysInside, keepsExisting, top } = rules;
    if (refusesLinks && staysInside && !keepsExisting) removeTreeLink(path, top);
    return !isTaken(path);
  }

  /** The result of a file that stays by the server's `facts`. @throws FtpullError "file", "integrity" */
  protected async skipBy(facts: Facts, { observer }: Tries): Promise<Skip | undefined> {
    const { rules, path, verification } = this;
    const { isToFetch } = rules;
    const { checksums } = verification;
    // Without an answer to MDTM, a time from before the task counts.
    const { modified = this.options.facts?.modified } = facts;
    // A size from a listing is no sufficient reason to keep a file.
    const isListedSize = facts.source === "listing" && modified === undefined;
    const size = isListedSize ? undefined : facts.size;
    if (this.options.isInTree && !rules.hasTime(modified)) return "left out";
    if (verification.isWanted && rules.keepsExisting && this.isThere) {
      if (this.file !== undefined) claimFile(path);
      await checkKept(path, checksums, observer, "-nc");
      return this.#skipped("exists", `"${path}" is there already`);
    }
    this.destination.isFree = clockMs() - this.#freeAtMs < freshMs;
    if (this.destination.isFree) return undefined;
    const itself = this.file === undefined ? undefined : claimFile(path);
    if (itself?.isSymbolicLink() && size !== undefined && this.#removesLink()) return undefined;
    const explanation =
      isToFetch && (await reasonToKeep(path, checksums, observer, isToFetch, { size, modified }));
    if (explanation === undefined) {
      if (rules.refusesLinks && itself?.isSymbolicLink()) refuseLink(path);
      return undefined;
    }
    // Without all facts, the server's temporary refusal decides: the file may have changed.
    const isUnsure = size === undefined || modified === undefined;
    if (isUnsure && facts.failure !== undefined) throw facts.failure;
    return { ...this.#skipped("unchanged", explanation), size, modified };
  }

  #skipped(reason: "exists" | "unchanged", explanation: string): Result {
    const { path: file, document } = this;
    const { shownUrl: url } = document;
    const leftover = removeLeft(file, reason === "unchanged");
    const words = leftover
      ? `${explanation}, and "${leftover}" with octets of another run`
      : explanation;
    const inTree = this.options.isInTree && leftover === undefined; // Even in a tree a leftover is named.
    this.verification.requireChecksum();
    this.verification.conclude(url);
    const { verified } = this.verification;
    const facts = { size: existingFile(file)?.size, inTree, verified };
    return { url, status: "skipped", exit: 0, file, reason, explanation: words, ...facts };
  }
}

/** Writing through the link could overwrite another file. @throws FtpullError "file" */
function refuseLink(path: string): void {
  if (found(path)?.isDirectory() === true) return;
  const words = "it is a symbolic link, which may lead to another file of the tree";
  throw cannotWrite(path, words, "remove the link: the file takes its place");
}
