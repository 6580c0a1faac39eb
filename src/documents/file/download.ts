/** A file that is being fetched: where it goes, and what stays from try to try. */
import type { Checksum } from "../../checksums/checksum.ts";
import type { DocumentHash } from "../../checksums/document-hash.ts";
import type { Destination } from "../../files/destination.ts";
import type { Document } from "../task.ts";
import type { FileRules } from "./file-rules.ts";

export interface Download extends Document {
  readonly destination: Destination;
  readonly rules: Pick<FileRules, "ebcdicEncoding" | "keepsTime" | "segments">;
  readonly expected: readonly Checksum[];
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
