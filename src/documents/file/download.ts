/** A file to fetch: its settings, and what its tries have in common. */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination } from "../../files/destination.ts";
import type { OwnFiles } from "../../files/own-files.ts";
import { isTaken } from "../../files/regular-file.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import type { Document } from "../task.ts";
import { unverified, type Verification, type Verifier } from "../verify/verification.ts";
import type { isNewer } from "./timestamping.ts";

export abstract class Download {
  readonly document: Document;
  readonly file: string | undefined;
  readonly path: string;
  readonly verifier: Verifier;
  /** Found before each try. */
  verification: Verification = unverified;
  readonly rules: FileRules;
  readonly options: FileOptions;
  readonly destination: Destination;
  hash: DocumentHash | undefined;
  /** Octets of an earlier run; undefined before data has come. */
  resumed: number | undefined;
  mostConnections: number;

  constructor(document: Document, target: Target, rules: FileRules, options: FileOptions) {
    this.document = document;
    this.file = rules.hasOwnNames ? target.path : undefined;
    this.path = rules.sharedPath ?? target.path;
    this.verifier = target.verifier;
    this.rules = rules;
    this.options = options;
    this.mostConnections = rules.segments;
    this.destination = rules.destinationFor(this.path);
  }

  get isThere(): boolean {
    return isTaken(this.path);
  }

  /** Drops what is stored; false if that can't be done. */
  async beginAgain(): Promise<boolean> {
    if (!this.destination.rewindable) return false;
    await this.destination.discard();
    this.resumed = 0;
    this.mostConnections = 1; // Pieces that don't fit together may be of several documents.
    return true;
  }
}

export interface FileOptions {
  readonly directory?: Listable;
  readonly facts?: Facts;
  /** Returns what gives the file back. @throws FtpullError "file" */
  readonly claim?: () => () => void;
  readonly ended?: () => void;
  readonly isInTree: boolean;
}

/**
 * Rules of the command line for files. With `hasOwnNames` no file gets a number; without `isToFetch` documents
 * are always fetched.
 */
export interface FileRules {
  readonly destinationFor: (path: string) => Destination;
  readonly own: OwnFiles;
  readonly sharedPath: string | undefined;
  readonly hasOwnNames: boolean;
  readonly keepsExisting: boolean;
  readonly isToFetch: typeof isNewer | undefined;
  readonly hasTime: (modified: Date | undefined) => boolean;
  readonly top: string;
  readonly refusesLinks: boolean;
  readonly staysInside: boolean;
  readonly guessType: boolean;
  readonly keepsTime: boolean;
  readonly ebcdicEncoding: EbcdicEncoding;
  readonly segments: number;
}

export interface Target {
  /** The file's path, unless the name is taken or -O names another. */
  readonly path: string;
  readonly verifier: Verifier;
}

export interface Listable {
  list(session: Session, plan: Plan, refusal?: Error): Promise<Result | undefined>;
}
