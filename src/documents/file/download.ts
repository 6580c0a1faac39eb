/** A file to fetch: its settings, and its state between tries. */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, Version } from "../../files/destination.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import { leastOctets } from "../segments/ranges.ts";
import type { Document } from "../task.ts";
import type { Verification } from "../verify/verification.ts";
import type { PlainFile } from "./plain-file.ts";
import { checkUnchanged, hasOnlyGrown, receivedMore } from "./resume.ts";
import type { isNewer, SizeAndTime } from "./timestamping.ts";

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
  readonly path: string;
  freeAtMs = -Infinity;

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

  get isThere(): boolean {
    return isTaken(this.path);
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
