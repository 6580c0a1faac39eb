/** A file to fetch: its settings, and its state between tries. */
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
  usesOneConnection = false;
  restartsFromZero = false;
  resumed: number | undefined;
  /** The document before the last try, if more octets came in it than SIZE had said. */
  beforeGrowth: Version | undefined;
  /** True if the server says a size of 0 and sends octets. */
  hasNoSize = false;
  /** False once a server was at fault that sent octets behind SIZE. */
  mayGrow = true;
  hash: DocumentHash | undefined;
  readonly destination: Destination;
  protected readonly path: string;
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
  /** Undefined if a directory of the name may not be listed. */
  readonly directory?: Listable;
  /** Facts from before the task, mostly of a listing. */
  readonly facts?: Facts;
  readonly isUnreadable?: boolean | undefined;
  /** Claims the file; returns what gives it back. @throws FtpullError "file" */
  readonly claim?: () => () => void;
  readonly ended?: () => void;
  readonly isInTree: boolean;
}

/** Rules of the command line for all files of a run. */
export interface FileRules {
  readonly destinationFor: (path: string) => Destination;
  /** The file of -O, for all documents. */
  readonly sharedPath: string | undefined;
  /** True if no file gets a number: it replaces, resumes or keeps the file of its own name. */
  readonly hasOwnNames: boolean;
  readonly keepsExisting: boolean;
  /** Compares a document with its local file; undefined: documents are always fetched. */
  readonly isToFetch: typeof isNewer | undefined;
  readonly hasTime: (modified: Date | undefined) => boolean;
  readonly top: string;
  /** True if a local link in a file's place is refused: it could lead to another file of the tree. */
  readonly refusesLinks: boolean;
  /** True if local links must not lead out of `top`. */
  readonly staysInside: boolean;
  /** True if a tree's directory may later be cleaned by --delete. */
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
  /** Lists a directory, perhaps after the `refusal` of a file of this name. */
  list(session: Session, plan: Plan, refusal?: Error): Promise<Result | undefined>;
}
