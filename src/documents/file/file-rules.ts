/** What the command line says of the files of a run. */
import type { Destination } from "../../files/destination.ts";
import type { EbcdicEncoding } from "../../text/ebcdic.ts";
import type { CommandFor } from "../hints.ts";
import type { isNewer } from "./timestamping.ts";

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
