/** A file that is being fetched: where it goes, and what stays from try to try. */
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination } from "../../files/destination.ts";
import type { Document } from "../task.ts";
import type { CommandFor } from "../hints.ts";
import type { Verification } from "../verify/verification.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { isNewer } from "./timestamping.ts";

export interface Download extends Document {
  readonly destination: Destination;
  readonly rules: Pick<FileRules, "ebcdicEncoding" | "keepsTime" | "segments">;
  readonly verification: Verification;
  /** Whether it is shown with the whole of a tree. */
  readonly isInTree: boolean;
  /** Whether to use one connection: what several brought didn't fit. */
  isSingle: boolean;
  /** Ignore stored octets; reset when data arrives. */
  isAnew: boolean;
  /** Whether more octets came in the last try than SIZE had said. */
  isOutgrown: boolean;
  /** Whether octets behind SIZE may be those of a document that grows. */
  mayGrow: boolean;
  /** Of the octets so far, where the document is verified. */
  hash: DocumentHash | undefined;
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
  readonly commandFor: CommandFor;
  /** What goes on with a tree's partial files. */
  readonly sameCommand: string;
}
