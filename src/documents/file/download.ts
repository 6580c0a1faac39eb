/**
 * A file to fetch: its settings, and its state between tries. The state changes in the methods of `Download` alone,
 * but for `hash`, which is DocumentFile's, and `freeAtMs`, which is for skip.ts.
 */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, PartialDocument, Version } from "../../files/destination.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import { BeginAgain, GrewDuringTransfer } from "../retry.ts";
import type { Tries } from "../task-tries.ts";
import type { Document } from "../task.ts";
import type { Verification } from "../verify/verification.ts";
import { checkPieces, PlainFile } from "./plain-file.ts";
import { checkUnchanged, hasOnlyGrown, receivedMore } from "./resume.ts";
import type { isNewer } from "./timestamping.ts";

export abstract class Download {
  readonly document: Document;
  readonly file: string | undefined;
  readonly path: string;
  readonly verification: Verification;
  readonly rules: FileRules;
  readonly options: FileOptions;
  readonly destination: Destination;
  hash: DocumentHash | undefined;
  freeAtMs = -Infinity;
  /** Beginning of the next try's data; "first": no try has had data or was told to begin at 0. */
  start: "first" | "at 0" | "further" = "first";
  resumed = 0;
  plainFile: PlainFile | undefined;
  mostConnections: number;
  /** Growth of the document; a version: more octets than its SIZE came, and the next try asks for the reason. */
  growth: "possible" | "excluded" | Version = "possible";
  #emptiness: "possible" | "doubted" | "excluded" = "possible";

  constructor(document: Document, target: Target, rules: FileRules, options: FileOptions) {
    this.document = document;
    this.file = rules.hasOwnNames ? target.path : undefined;
    this.path = rules.sharedPath ?? target.path;
    this.verification = target.verification;
    this.rules = rules;
    this.options = options;
    this.mostConnections = rules.segments;
    this.destination = rules.destinationFor(this.path);
  }

  get isThere(): boolean {
    return isTaken(this.path);
  }

  partial(): PartialDocument | undefined {
    if (this.start === "at 0") return undefined;
    const partial = this.destination.partial();
    if (partial?.inPlace === undefined) return partial;
    const { path, size } = partial.inPlace;
    checkPieces(this.destination.label, this.#replacesAnyFile);
    this.plainFile = this.#replacesAnyFile ? undefined : new PlainFile(path, size);
    return partial;
  }

  get replaceable() {
    if (this.#replacesAnyFile) return "any";
    // A file that fits this document may not fit the one that a later run finds in its place.
    return this.plainFile === undefined ? "found" : "beginning";
  }

  /** True with -N, in a tree and with a checksum, which tell which document belongs in a file's place. */
  get #replacesAnyFile(): boolean {
    return this.rules.isToFetch !== undefined || this.verification.checksums.length > 0;
  }

  endTry(openedAt: number | undefined, connections: number | undefined, failure: unknown): void {
    // Segments that disagree show several documents: the next try uses one connection.
    if (connections !== undefined && failure instanceof BeginAgain) this.mostConnections = 1;
    if (openedAt === undefined) return;
    if (this.start === "first") this.resumed = openedAt;
    this.start = "further";
  }

  async beginAgain(reason: BeginAgain): Promise<boolean> {
    const { destination, plainFile } = this;
    if (this.beforeGrowth !== undefined) this.growth = "possible";
    if (!destination.rewindable) return false;
    await (reason.keepsOctets ? destination.keep() : destination.discard());
    // A plain file stays until the document is whole, and is compared with it in order.
    this.start = "at 0";
    if (plainFile !== undefined) {
      plainFile.fits = false;
      this.mostConnections = 1;
    }
    return true;
  }

  replacePlainFile(because: string): BeginAgain {
    this.plainFile = undefined;
    return new BeginAgain(because);
  }

  get beforeGrowth(): Version | undefined {
    return typeof this.growth === "string" ? undefined : this.growth;
  }

  outgrew(version: Version): GrewDuringTransfer {
    if (version.size === 0) this.#emptiness = "doubted";
    else this.growth = version;
    return new GrewDuringTransfer(receivedMore(version.size).message);
  }

  /**
   * Checks why more octets came than SIZE had said. @throws as `checkUnchanged`; FtpullError for the same facts:
   * the server was at fault, and later tries accept none behind SIZE
   */
  async requireGrowth(now: Facts): Promise<void> {
    const { beforeGrowth: before, destination } = this;
    if (before === undefined || hasOnlyGrown(now, before)) return;
    checkUnchanged(now, before);
    this.growth = "excluded";
    if (destination.rewindable) await destination.discard();
    throw receivedMore(before.size);
  }

  /** A size of 0 that the server repeats after it has sent octets is no size. */
  protected withTrustedSize(facts: Facts, tries: Tries): Facts {
    const isRepeated = this.#emptiness === "doubted" && (facts.size ?? 0) === 0;
    if (isRepeated) tries.say("the server says that it is empty, and sends octets");
    if (this.#emptiness === "doubted") this.#emptiness = isRepeated ? "excluded" : "possible";
    const isNoSize = this.#emptiness === "excluded" && facts.size === 0;
    return isNoSize ? { ...facts, size: undefined } : facts;
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
