/** A file to fetch: where it comes from, where it goes, and by which rules. */
import type { Destination } from "../../files/destination.ts";
import type { Existing } from "../../files/existing.ts";
import type { OwnFiles } from "../../files/own-files.ts";
import type { Facts } from "../../ftp/document-steps.ts";
import type { Session } from "../../ftp/session.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { Plan } from "../../url/plan.ts";
import type { Result } from "../result.ts";
import type { Document } from "../task.ts";
import type { Verifier } from "../verify/verifier.ts";

export interface Download {
  readonly document: Document;
  /** The file's path, unless the name is taken or -O names another. */
  readonly path: string;
  readonly rules: FileRules;
  readonly verifier: Verifier;
  readonly isInTree: boolean;
  /** True where the local directory was made for the listed one: nothing has the name yet. */
  readonly isNewHere?: boolean;
  /** Facts from a listing, which count where the server tells none. */
  readonly listed?: Facts;
  /** Lists the name in place of the file, if it turns out to be a directory's. */
  readonly list?: (session: Session, plan: Plan, refusal: Error) => Promise<Result | undefined>;
  readonly ended?: () => void;
  /** True for a file that a proxy's GET can give as the options want it. */
  readonly mayGet?: boolean;
}

/** Rules of the command line for files. */
export interface FileRules {
  readonly existing: Existing;
  readonly destinationFor: (path: string) => Destination;
  readonly own: OwnFiles;
  readonly sharedPath: string | undefined;
  readonly hasTime: (modified: Date | undefined) => boolean;
  readonly top: string;
  readonly staysInside: boolean;
  readonly guessType: boolean;
  readonly keepsTime: boolean;
  readonly ebcdicEncoding: EbcdicEncoding;
  readonly segments: number;
}
