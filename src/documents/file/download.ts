/** A file's task: what it is made with, and what stays of it from try to try. */
import { basename } from "node:path";
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination } from "../../files/destination.ts";
import type { FileFacts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import type { Document } from "../task.ts";
import type { Verification } from "../verify/verification.ts";
import type { isNewer } from "./timestamping.ts";

/** A file that is being fetched: where it goes, and what stays from try to try. */
export abstract class Download {
  readonly document: Document;
  readonly file: string | undefined;
  readonly verification: Verification;
  readonly rules: FileRules;
  readonly options: FileOptions;
  /** Whether to use one connection: what several brought didn't fit. */
  isSingle = false;
  /** Ignore stored octets; reset when data arrives. */
  isAnew = false;
  /** What the server said before the last try, if more octets came in it than SIZE had said. */
  outgrown: FileFacts | undefined;
  /** Whether the size of 0 that the server says is none: octets came. */
  hasNoSize = false;
  /** Whether octets behind SIZE may be those of a document that grows. */
  mayGrow = true;
  /** Of the octets so far, where the document is verified. */
  hash: DocumentHash | undefined;
  readonly destination: Destination;
  /** Its own name here, whatever -O gives. */
  protected readonly name: string;
  protected readonly path: string;
  /** What was told of it last. */
  protected facts: FileFacts | undefined;

  constructor(document: Document, target: Target, rules: FileRules, options: FileOptions) {
    const { path, verification } = target;
    this.document = document;
    this.file = rules.hasOwnNames ? path : undefined;
    this.name = basename(path);
    this.path = rules.sharedPath ?? path;
    this.verification = verification;
    this.rules = rules;
    this.options = options;
    this.destination = rules.destinationFor(this.path);
  }
}

export interface FileOptions {
  /** What the name may stand for, if that may be listed. */
  readonly directory?: Listable;
  readonly told?: Told;
  /** Called when the file has been fetched or skipped, or has failed. */
  readonly ended?: () => void;
  /** Whether it is shown with the whole of a tree. */
  readonly isInTree: boolean;
}

/** What the command line says of the files of a run. */
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
  /** Whether local links must not lead out of it. */
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
  /** Its path, if that name is free and -O gives none. */
  readonly path: string;
  readonly verification: Verification;
}

/** What is told of a tree's file before its own task: by the listing, and by SIZE and MDTM of many at once. */
export interface Told extends FileFacts {
  /** Whether nothing is left to be asked; else the size may be other than SIZE's. */
  readonly isExact: boolean;
  /** Whether the listing shows that not everyone may read it. */
  readonly isUnreadable?: boolean;
}

/** What a name may stand for in place of a file (P8). */
export interface Listable {
  /** Lists the directory of `plan`. */
  list(session: Session, plan: Plan): Promise<Result | undefined>;
}
