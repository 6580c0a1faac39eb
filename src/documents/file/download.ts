/** A file to fetch: its settings, its state between tries, and the decision if the local file stays. */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import { clockMs } from "../../clock.ts";
import { claimFile } from "../../files/claims.ts";
import type { Destination, Version } from "../../files/destination.ts";
import { cannotWrite } from "../../files/file-error.ts";
import { checkInside } from "../../files/folder.ts";
import { removeLeft } from "../../files/part/part-folder.ts";
import { existingFile, found, foundItself, ifRegular, isTaken } from "../../files/regular-file.ts";
import { removeTreeLink } from "../../files/tree-link.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import { BeginAgain } from "../retry.ts";
import { leastOctets } from "../segments/ranges.ts";
import type { Tries } from "../task-tries.ts";
import type { Document, Skip } from "../task.ts";
import type { Verification } from "../verify/verification.ts";
import type { PlainFile } from "./plain-file.ts";
import { checkUnchanged, hasOnlyGrown, receivedMore } from "./resume.ts";
import {
  checkKept,
  isDifferent,
  isNewer,
  type Local,
  reasonToKeep,
  type SizeAndTime,
} from "./timestamping.ts";

/** Time for which a name that `skip` found free isn't looked up again. */
const freshMs = 1000;

export abstract class Download {
  readonly document: Document;
  readonly file: string | undefined;
  readonly verification: Verification;
  readonly rules: FileRules;
  readonly options: FileOptions;
  usesOneConnection = false;
  restartsFromZero = false;
  resumed: number | undefined;
  /** The document before the last try, if more octets came in it than SIZE had said. */
  beforeGrowth: Version | undefined;
  hasNoSize = false;
  mayGrow = true;
  hash: DocumentHash | undefined;
  plainFile: PlainFile | undefined;
  readonly destination: Destination;
  protected readonly path: string;
  protected facts: Facts | undefined;
  protected giveBack: (() => void) | undefined;
  #freeAtMs = -Infinity;

  constructor(document: Document, target: Target, rules: FileRules, options: FileOptions) {
    const { path, verification } = target;
    this.document = document;
    this.file = rules.hasOwnNames ? path : undefined;
    this.path = rules.sharedPath ?? path;
    this.verification = verification;
    this.rules = rules;
    this.options = options;
    this.destination = rules.destinationFor(this.path);
  }

  skip(): Skip | undefined {
    const { rules, path, verification } = this;
    const { facts, claim } = this.options;
    this.giveBack = claim?.();
    if (!rules.hasTime(facts?.modified)) return "left out";
    let itself = facts && foundItself(path);
    if (itself?.isSymbolicLink()) {
      this.#removeLink();
      itself = foundItself(path);
    }
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
    const local = isInside ? ifRegular(itself) : existingFile(path);
    const isToFetch = rules.isToFetch?.(facts, local) ?? true;
    return isToFetch ? undefined : this.#skipped("unchanged", `"${path}" is unchanged`);
  }

  protected get isThere(): boolean {
    return isTaken(this.path);
  }

  #removeLink(): void {
    const { refusesLinks, staysInside, keepsExisting, top } = this.rules;
    if (refusesLinks && staysInside && !keepsExisting) removeTreeLink(this.path, top);
  }

  protected async skipBy(facts: Facts, { observer }: Tries): Promise<Skip | undefined> {
    const { rules, path, verification } = this;
    const { isToFetch } = rules;
    const kept = { path, checksums: verification.checksums, observer };
    const { modified = this.options.facts?.modified } = facts;
    // A size from a listing is no sufficient reason to keep a file.
    const isListedSize = facts.source === "listing" && modified === undefined;
    const size = isListedSize ? undefined : facts.size;
    if (this.options.isInTree && !rules.hasTime(modified)) return "left out";
    if (verification.isWanted && rules.keepsExisting && this.isThere) {
      if (this.file !== undefined) claimFile(path);
      await checkKept(kept, "-nc");
      return this.#skipped("exists", `"${path}" is there already`);
    }
    this.destination.isFree = clockMs() - this.#freeAtMs < freshMs;
    if (this.destination.isFree) return undefined;
    const itself = this.file === undefined ? undefined : claimFile(path);
    if (itself?.isSymbolicLink() && size !== undefined) {
      this.#removeLink();
      if (!isTaken(path)) return undefined;
    }
    const explanation = isToFetch && (await reasonToKeep(kept, isToFetch, { size, modified }));
    if (explanation === undefined) {
      if (rules.refusesLinks && itself?.isSymbolicLink()) refuseLink(path);
      return undefined;
    }
    // Without all facts, the server's temporary refusal decides: the file may have changed.
    const isUnsure = size === undefined || modified === undefined;
    if (isUnsure && facts.failure !== undefined) throw facts.failure;
    return { ...this.#skipped("unchanged", explanation), size, modified };
  }

  connectionsFor(
    { size, modified }: SizeAndTime,
    resumed: number,
    hasGaps: boolean,
  ): number | undefined {
    if (size === undefined || this.destination.save === undefined) return undefined;
    // Several connections could mix two files of the same size, which only the time tells apart.
    if (modified === undefined) return undefined;
    const most = this.usesOneConnection ? 1 : this.rules.segments;
    const isLarge = size - resumed >= 2 * leastOctets;
    return hasGaps || (most > 1 && isLarge) ? most : undefined;
  }

  /**
   * The result of a local file that has the document's size, and is the document by checksum or time. @throws
   * BeginAgain if it is older: comparing its last octets can't show a change before them
   */
  async wholeAlready(
    local: Local,
    document: Version,
    { observer }: Tries,
  ): Promise<Result | undefined> {
    const { label: path } = this.destination;
    const { checksums } = this.verification;
    const hasSameTime = document.modified !== undefined && !isDifferent(document, local);
    if (checksums.length === 0 && !hasSameTime) {
      if (!isNewer(document, local)) return undefined;
      this.plainFile = undefined;
      throw new BeginAgain("the document is newer than the file that is here");
    }
    await checkKept({ path, checksums, observer }, "-c");
    await this.destination.discard(); // A killed run may have left a folder beside the file.
    const { size, modified } = document;
    return { ...this.#skipped("unchanged", `"${path}" is whole already`), size, modified };
  }

  /**
   * Called after more octets came than SIZE had said. @throws as `checkUnchanged`; FtpullError for the same facts:
   * the server was at fault, and later tries accept none behind SIZE
   */
  async requireGrowth(now: Facts, before: Version): Promise<void> {
    if (hasOnlyGrown(now, before)) return;
    checkUnchanged(now, before);
    this.beforeGrowth = undefined;
    this.mayGrow = false;
    if (this.destination.rewindable) await this.destination.discard();
    throw receivedMore(before.size);
  }

  #skipped(reason: "exists" | "unchanged", explanation: string): Result {
    const { path: file, document } = this;
    const { shownUrl: url } = document;
    const leftover = removeLeft(file, reason === "unchanged" ? "all" : "without octets");
    const words = leftover
      ? `${explanation}, and "${leftover}" with octets of another run`
      : explanation;
    const inTree = this.options.isInTree && leftover === undefined; // Even in a tree a leftover is named.
    this.verification.requireChecksum();
    this.verification.conclude(url);
    const { verified, sha256 } = this.verification;
    const facts = { size: existingFile(file)?.size, inTree, verified, sha256 };
    return { url, status: "skipped", exit: 0, file, reason, explanation: words, ...facts };
  }
}

export interface FileOptions {
  readonly directory?: Listable;
  readonly facts?: Facts;
  readonly isUnreadable?: boolean | undefined;
  /** Returns what gives the file back. @throws FtpullError "file" */
  readonly claim?: () => () => void;
  readonly ended?: () => void;
  readonly isInTree: boolean;
}

/**
 * Rules of the command line for files. With `hasOwnNames` no file gets a number; without `isToFetch` documents
 * are always fetched; `isMirror`: --delete may later clean a tree's directory.
 */
export interface FileRules {
  readonly destinationFor: (path: string) => Destination;
  readonly sharedPath: string | undefined;
  readonly hasOwnNames: boolean;
  readonly keepsExisting: boolean;
  readonly isToFetch: typeof isNewer | undefined;
  readonly hasTime: (modified: Date | undefined) => boolean;
  readonly top: string;
  readonly refusesLinks: boolean;
  readonly staysInside: boolean;
  readonly isMirror: boolean;
  readonly guessType: boolean;
  readonly keepsTime: boolean;
  readonly ebcdicEncoding: EbcdicEncoding;
  readonly segments: number;
}

export interface Target {
  /** The file's path, unless the name is taken or -O names another. */
  readonly path: string;
  readonly verification: Verification;
}

export interface Listable {
  list(session: Session, plan: Plan, refusal?: Error): Promise<Result | undefined>;
}

/** Writing through the link could overwrite another file. @throws FtpullError "file" */
function refuseLink(path: string): void {
  if (found(path)?.isDirectory() === true) return;
  const words = "it is a symbolic link, which may lead to another file of the tree";
  throw cannotWrite(path, words, "remove the link: the file takes its place");
}
