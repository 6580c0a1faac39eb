/** Download: where a file goes, by which rules, and what stays of it from try to try. */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination, Version } from "../../files/destination.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import type { Document } from "../task.ts";
import type { Verification } from "../verify/verification.ts";
import type { isNewer } from "./timestamping.ts";

export abstract class Download {
  readonly document: Document;
  readonly file: string | undefined;
  readonly verification: Verification;
  readonly rules: FileRules;
  readonly options: FileOptions;
  /** True after segments disagreed: the next try uses one connection. */
  usesOneConnection = false;
  restartsFromZero = false;
  /** Number of octets that an earlier run had stored; set once data has come. */
  resumed: number | undefined;
  /** The document as it was before the last try, if more octets came in it than SIZE had said. */
  beforeGrowth: Version | undefined;
  /** True if the server says a size of 0 and sends octets: the size is unknown. */
  hasNoSize = false;
  /** Whether octets behind SIZE may be those of a document that grows. */
  mayGrow = true;
  /** Hash of the octets so far, where the document is verified. */
  hash: DocumentHash | undefined;
  readonly destination: Destination;
  protected readonly path: string;
  /** Facts of the latest try. */
  protected facts: Facts | undefined;

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
}

export interface FileOptions {
  /** Directory that the name may stand for, if it may be listed. */
  readonly directory?: Listable;
  /** Facts from before the task, of a file that a listing names; those of the first try if the plan asks nothing. */
  readonly facts?: Facts;
  /** Whether the listing shows that not everyone may read it. */
  readonly isUnreadable?: boolean | undefined;
  /** Called when the file has been fetched or skipped, or has failed. */
  readonly ended?: () => void;
  /** True if progress and result are part of a tree's. */
  readonly isInTree: boolean;
}

/** Rules of the command line for all files of a run. */
export interface FileRules {
  readonly destinationFor: (path: string) => Destination;
  /** The file of -O, for all documents. */
  readonly sharedPath: string | undefined;
  /** Whether each file replaces, resumes or keeps the one of its own name: no number is added. */
  readonly hasOwnNames: boolean;
  /** Whether an existing file is left as it is. */
  readonly keepsExisting: boolean;
  /** Whether a document is fetched in place of the local file; undefined: it always is. */
  readonly isToFetch: typeof isNewer | undefined;
  /** Whether a file of a tree with this time is wanted. */
  readonly hasTime: (modified: Date | undefined) => boolean;
  /** The directory that the user chose. */
  readonly top: string;
  /** Whether a local link in a file's place is refused: it could lead to another file of the tree. */
  readonly refusesLinks: boolean;
  /** Whether local links must not lead out of `top`. */
  readonly staysInside: boolean;
  /** Whether names with a text suffix are fetched as ASCII (P12). */
  readonly guessType: boolean;
  /** Whether files and directories get the server's modification time. */
  readonly keepsTime: boolean;
  /** The code page of TYPE E (D3). */
  readonly ebcdicEncoding: EbcdicEncoding;
  /** The most data connections for a large file. */
  readonly segments: number;
}

/** Where a file goes, and what it has to be. */
export interface Target {
  /** Path of the file, unless the name is taken or -O names another. */
  readonly path: string;
  readonly verification: Verification;
}

/** Directory for which a name may stand in place of a file (P8). */
export interface Listable {
  /** Lists the directory of `plan`. */
  list(session: Session, plan: Plan): Promise<Result | undefined>;
}
