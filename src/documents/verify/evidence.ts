/** What a document is verified by. */
import type { Checksum } from "../../checksums/checksum.ts";

/** The checksums of one document, and where they were found. */
export interface Evidence {
  /** The strongest first. */
  readonly checksums: readonly Checksum[];
  /** A URL, or else an option, a local list or a command. */
  readonly source: string;
  /** A short name of it. */
  readonly label: string;
  /** It is to be fetched again when it is wanted. */
  readonly doubt?: () => void;
}
